import type { ToolRegistry } from 'perch-mcp';

const SECRET = 'SECRET-of-the-handler';

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

function cycle(): unknown {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

function withThrowingGetter(): Error {
  return Object.defineProperty(new Error(), 'message', {
    get() {
      throw new Error(SECRET);
    },
  });
}

/** B9: every way to fail that is not ours to choose. All but the last are answered with a reference. */
export const FAULTS: Readonly<Record<string, () => unknown>> = {
  'throws-error': () => {
    throw new Error(SECRET);
  },
  'throws-string': () => {
    throw SECRET;
  },
  'throws-null': () => {
    throw null;
  },
  'throws-undefined': () => {
    throw undefined;
  },
  'throws-frozen': () => {
    throw Object.freeze(new Error(SECRET));
  },
  'throws-getter': () => {
    throw withThrowingGetter();
  },
  'throws-proxy': () => {
    throw new Proxy(
      {},
      {
        get: () => {
          throw new Error(SECRET);
        },
        getPrototypeOf: () => {
          throw new Error(SECRET);
        },
      },
    );
  },
  rejects: () => Promise.reject(new Error(SECRET)),
  'rejects-aggregate': () => Promise.reject(new AggregateError([new Error(SECRET)], SECRET)),
  'thenable-that-throws': () => ({
    then: () => {
      throw new Error(SECRET);
    },
  }),
  'never-settles': () => new Promise(() => undefined),
};

/** B10: every result that is not what it seems, and the text that it becomes; undefined for what is answered with a reference. */
export const RESULTS: Readonly<Record<string, { readonly give: () => unknown; readonly text: string | undefined }>> = {
  'gives-null': { give: () => null, text: 'null' },
  'gives-date': { give: () => new Date(0), text: '"1970-01-01T00:00:00.000Z"' },
  'gives-buffer': { give: () => Buffer.from('hi'), text: '{"type":"Buffer","data":[104,105]}' },
  'gives-map': { give: () => new Map([['a', 1]]), text: '{}' },
  'gives-nan': { give: () => Number.NaN, text: 'null' },
  'gives-wrong-shape': { give: () => ({ content: 'text' }), text: '{"content":"text"}' },
  'gives-untyped-content': { give: () => ({ content: [{ text: 'x' }] }), text: '{"content":[{"text":"x"}]}' },
  'gives-result-type': { give: () => ({ content: [{ type: 'text', text: 'x' }], resultType: 'input_required' }), text: 'x' },
  'gives-half-a-block': { give: () => ({ content: [{ type: 'text' }] }), text: undefined },
  'gives-an-unknown-kind': { give: () => ({ content: [{ type: 'smell', text: 'x' }] }), text: undefined },
  'gives-a-bad-note': { give: () => ({ content: [{ type: 'text', text: 'x', annotations: { priority: 2 } }] }), text: undefined },
  'gives-a-bad-flag': { give: () => ({ content: [], isError: 'yes' }), text: undefined },
  'gives-a-bad-structure': { give: () => ({ content: [], structuredContent: 5 }), text: undefined },
  'gives-a-bad-meta': { give: () => ({ content: [], _meta: [] }), text: undefined },
  'gives-cycle': { give: cycle, text: undefined },
  'gives-bigint': { give: () => ({ n: 10n }), text: undefined },
  'gives-to-json': {
    give: () => ({
      toJSON: () => {
        throw new Error(SECRET);
      },
    }),
    text: undefined,
  },
  'gives-deep': { give: () => deep(100_000), text: undefined },
};

/** Results without any text. */
export const EMPTY: Readonly<Record<string, () => unknown>> = {
  'gives-undefined': () => undefined,
  'gives-symbol': () => Symbol('x'),
  'gives-function': () => () => 1,
};

/** Registers all of them, the way a program does at run time. */
export function registerMisbehaving(tools: ToolRegistry): void {
  const results = Object.fromEntries(Object.entries(RESULTS).map(([name, { give }]) => [name, give]));
  for (const [name, execute] of Object.entries({ ...FAULTS, ...results, ...EMPTY })) {
    tools.register({ name, description: 'Misbehaves', timeoutMs: 100, execute });
  }
}
