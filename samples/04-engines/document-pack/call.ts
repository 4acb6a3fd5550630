/** What whoever runs this pack calls its engines with. It knows of no server: a script, a queue and a test call it the same way. */
export interface Call<Input> {
  readonly request: { readonly input: Input };
  /** Ends long work early. */
  readonly signal?: AbortSignal;
  /** Is told how far long work is. */
  readonly progress?: (done: number, options: { readonly total: number }) => unknown;
}

/** A field that must be text. */
export function textOf(input: object, field: string): string {
  const value: unknown = (input as Record<string, unknown>)[field];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new TypeError(`"${field}" must be a text that is not empty.`);
}

/** A field that may be a whole number from 1 on. */
export function countOf(input: object, field: string, otherwise: number): number {
  const value: unknown = (input as Record<string, unknown>)[field] ?? otherwise;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
  throw new TypeError(`"${field}" must be a whole number from 1 on.`);
}
