/** What clients can be told of: a list that changed, or a resource. */
export type Change = { readonly list: 'tools' | 'resources' | 'prompts' } | { readonly updated: string };
