import { ErrorCode, McpError } from '../errors/mcp-error';
import type { OperationRequest } from '../invocation/operation-context';
import { Cursors } from './cursors';
import type { ListedItem } from './entry-list';
import type { Listing } from './listings';

/** How long a client may keep a list that is the same for everybody. It is told of changes; this is for those who do not listen. */
const LIST_TTL_MS = 60_000;

/** Where a page begins: after an entry, or at an offset among what is listed for the caller alone. */
type Position = { readonly after: number } | { readonly offset: number };

interface Page {
  readonly items: readonly ListedItem[];
  readonly next: Position | undefined;
}

/** Who asks for a page, and what is listed for the caller alone. */
interface Caller {
  readonly call: OperationRequest;
  readonly list: ((call: OperationRequest) => Promise<readonly ListedItem[]>) | undefined;
}

/** Answers lists page by page. */
export class Pages {
  readonly #cursors = new Cursors();

  constructor(private readonly size: number) {}

  /** Rejects with -32602 for a cursor that was not handed out for this list by this process. */
  async answer(
    method: string,
    { key, entries, more }: Listing,
    { cursor, call }: { cursor: unknown; call: OperationRequest },
  ): Promise<object> {
    const forCaller = more?.();
    const { items, next } = await this.#page(entries, this.#positionOf(method, cursor), { call, list: forCaller });
    const nextCursor = next === undefined ? {} : { nextCursor: this.#cursors.seal(method, textOf(next)) };
    const isForEverybody = forCaller === undefined && !entries.dependOnCaller();
    return { [key]: items, ...nextCursor, ...(call.era === 'modern' ? cachingOf(isForEverybody) : {}) };
  }

  async #page(entries: Listing['entries'], position: Position, { call, list }: Caller): Promise<Page> {
    if ('offset' in position) return this.#forCaller([], position.offset, (await list?.(call)) ?? []);
    const { items, last, isLast } = await entries.after(position.after, this.size, call);
    if (!isLast) return { items, next: { after: last } };
    if (list === undefined) return { items, next: undefined };
    return this.#forCaller(items, 0, await list(call));
  }

  #forCaller(before: readonly ListedItem[], offset: number, all: readonly ListedItem[]): Page {
    const end = offset + this.size - before.length;
    return { items: [...before, ...all.slice(offset, end)], next: end < all.length ? { offset: end } : undefined };
  }

  #positionOf(method: string, cursor: unknown): Position {
    if (cursor === undefined) return { after: 0 };
    const text = typeof cursor === 'string' ? this.#cursors.open(method, cursor) : undefined;
    if (text === undefined) throw new McpError(ErrorCode.InvalidParams, 'Invalid params: unknown cursor');
    const number = Number(text.slice(1));
    return text.startsWith('a') ? { after: number } : { offset: number };
  }
}

function textOf(position: Position): string {
  return 'after' in position ? `a${String(position.after)}` : `o${String(position.offset)}`;
}

/** Specification 2026-07-28, Caching: what depends on the caller is never public. */
function cachingOf(isForEverybody: boolean): object {
  return isForEverybody ? { ttlMs: LIST_TTL_MS, cacheScope: 'public' } : { ttlMs: 0, cacheScope: 'private' };
}
