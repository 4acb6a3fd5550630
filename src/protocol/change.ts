/** The lists that can change. */
export type ChangedList = 'tools' | 'resources' | 'prompts';

/** What clients can be told of: a list that changed, or a resource. */
export type Change = { readonly list: ChangedList } | { readonly updated: string };
