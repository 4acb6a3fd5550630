import { ErrorCode, McpError } from '../errors/mcp-error';

/** The resources that one legacy client follows. Modern clients name theirs in `subscriptions/listen`, which the SDK keeps. */
export class Subscriptions {
  readonly #uris = new Set<string>();

  constructor(private readonly limit: number) {}

  add(uri: string): void {
    if (this.#uris.size >= this.limit && !this.#uris.has(uri)) throw new McpError(ErrorCode.InternalError, 'Too many subscriptions');
    this.#uris.add(uri);
  }

  remove(uri: string): void {
    this.#uris.delete(uri);
  }

  has(uri: string): boolean {
    return this.#uris.has(uri);
  }
}
