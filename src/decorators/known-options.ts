const WORDS: Readonly<Record<string, string>> = Object.freeze({
  guard: '@UseGuards()',
  pipe: '@UsePipes()',
  interceptor: '@UseInterceptors()',
  filter: '@UseFilters()',
  scope: '@Scopes()',
  role: '@Roles()',
});

/**
 * Throws a `TypeError` for an option that does not exist. The compiler refuses one too; what gets past it would otherwise be left out
 * without a word, and may have been meant to protect.
 */
export function mustBeKnown(word: string, options: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const [, own] = Object.entries(WORDS).find(([name]) => unknown.toLowerCase().startsWith(name)) ?? [];
  const fix = own === undefined ? `Use ${Object.keys(known).join(', ')}.` : `Put ${own} beside it.`;
  throw new TypeError(`${word} has no option "${unknown}". ${fix}`);
}
