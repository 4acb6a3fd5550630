import type { Operation } from '../contracts/execution-context';
import type { Era } from '../contracts/mcp-context';
import type { ListedResource } from '../contracts/resource';
import { ErrorCode, McpError } from '../errors/mcp-error';
import { PromptNotFoundError, ResourceNotFoundError, ToolNotFoundError } from '../errors/registry-errors';
import type { CompletionOf } from '../invocation/compile-completers';
import type { CompiledResource } from '../invocation/compile-resource';
import type { OperationRequest } from '../invocation/operation-context';
import type { CompiledOperation } from '../invocation/compiled-operation';
import type { OperationInvoker } from '../invocation/operation-invoker';
import type { ResourceMatch } from '../registry/resource-registry';
import type { Catalogues } from './catalogues';
import { createListings } from './listings';
import { Pages } from './pages';
import type { Subscriptions } from './subscriptions';

/** The params of a request whose shape has been checked. */
export type Params = Readonly<Record<string, unknown>>;

/** Answers one method: a plain function from params and call to the result, the same in both eras. */
export type Method = (params: Params, call: OperationRequest, subscriptions: Subscriptions) => unknown;

/** What the methods work with. */
export interface MethodDeps {
  readonly catalogues: Catalogues;
  readonly invoker: OperationInvoker;
  readonly pageSize: number;
}

/** The modern era has `subscriptions/listen` instead, which the SDK answers. */
const LEGACY_ONLY: ReadonlySet<string> = new Set(['resources/subscribe', 'resources/unsubscribe']);

/** What guards and the audit call the operations that are asked for by these methods. */
const KINDS: Readonly<Record<string, Operation>> = {
  'tools/call': 'call',
  'resources/read': 'read',
  'resources/subscribe': 'subscribe',
  'prompts/get': 'get',
  'completion/complete': 'complete',
};

/** An operation of an entry, and what it is asked with. */
export interface AskedOperation {
  readonly operation: CompiledOperation<unknown>;
  readonly raw: unknown;
}

/** The MCP methods Perch answers itself; the SDK answers the handshake, `server/discover`, `ping` and subscriptions. */
export class MethodTable {
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #catalogues: Catalogues;
  readonly #invoker: OperationInvoker;

  constructor({ catalogues, invoker, pageSize }: MethodDeps) {
    this.#catalogues = catalogues;
    this.#invoker = invoker;
    const pages = new Pages(pageSize);
    const listings = createListings(catalogues, invoker, async (entry, call) =>
      this.#listTemplate(catalogues.resources.compiled(entry), call),
    );
    this.#methods = new Map<string, Method>([
      ...[...listings].map(
        ([method, listing]) => [method, ({ cursor }, call) => pages.answer(method, listing, { cursor, call })] as [string, Method],
      ),
      ...Object.keys(KINDS).map((method) => [method, (params, call) => this.#invoke(method, params, call)] as [string, Method]),
      ['resources/subscribe', (params, call, subscriptions) => this.#subscribe(params, call, subscriptions)],
      ['resources/unsubscribe', ({ uri }, _call, subscriptions) => (subscriptions.remove(String(uri)), {})],
    ]);
  }

  /** The method of that name in an era. Where nobody can be told of a change, nobody subscribes. */
  get(method: string, { era, isStateless = false }: { readonly era: Era; readonly isStateless?: boolean | undefined }): Method | undefined {
    return (era === 'modern' || isStateless) && LEGACY_ONLY.has(method) ? undefined : this.#methods.get(method);
  }

  /** The operation that a request asks for, and what it is asked with. Throws what an unknown tool, prompt or resource is answered with. */
  operationOf(method: string, params: Params): AskedOperation | undefined {
    const { tools, prompts } = this.#catalogues;
    const name = String(params['name']);
    if (method === 'tools/call') {
      const entry = tools.registry.get(name);
      // The specification wants -32602 for an unknown tool; -32601 would say that tools/call itself is missing.
      if (entry === undefined) throw new ToolNotFoundError(name);
      return { operation: tools.compiled(entry), raw: params['arguments'] };
    }
    if (method === 'prompts/get') {
      const entry = prompts.registry.get(name);
      if (entry === undefined) throw new PromptNotFoundError(name);
      return { operation: prompts.compiled(entry).get, raw: params['arguments'] };
    }
    if (method === 'resources/read') return this.#ofResource(params, ({ read }) => read);
    if (method === 'resources/subscribe') return this.#ofResource(params, ({ subscribe }) => subscribe);
    return method === 'completion/complete' ? this.#ofCompletion(params as unknown as CompletionParams) : undefined;
  }

  /** Whether the caller may follow a resource. One that does not exist and one that is denied are the same. */
  async mayFollow(uri: string, call: OperationRequest): Promise<boolean> {
    try {
      await this.#invoke('resources/subscribe', { uri }, call);
      return true;
    } catch {
      return false;
    }
  }

  async #invoke(method: string, params: Params, call: OperationRequest): Promise<unknown> {
    let asked: AskedOperation | undefined;
    try {
      asked = this.operationOf(method, params);
    } catch (error) {
      const { name, uri } = (params['ref'] ?? params) as { readonly name?: unknown; readonly uri?: unknown };
      const key = name ?? uri;
      this.#invoker.recordUnknown(KINDS[method], typeof key === 'string' ? key : '', call);
      throw error;
    }
    if (asked !== undefined) return this.#invoker.invoke(asked.operation, asked.raw, call);
    throw methodNotFound();
  }

  #ofResource({ uri }: Params, pick: (compiled: CompiledResource) => CompiledOperation<unknown>): AskedOperation {
    const { registry, compiled } = this.#catalogues.resources;
    const match: ResourceMatch | undefined = registry.match(String(uri));
    if (match === undefined) throw new ResourceNotFoundError(String(uri));
    const { entry, ...raw } = match;
    return { operation: pick(compiled(entry)), raw };
  }

  async #subscribe(params: Params, call: OperationRequest, subscriptions: Subscriptions): Promise<object> {
    await this.#invoke('resources/subscribe', params, call);
    subscriptions.add(String(params['uri']));
    return {};
  }

  #ofCompletion({ ref, ...raw }: CompletionParams): AskedOperation {
    return { operation: this.#completionOf(ref)(raw.argument.name), raw };
  }

  #completionOf(ref: Reference): CompletionOf {
    const { resources, prompts } = this.#catalogues;
    if (ref.type === 'ref/prompt') {
      const prompt = prompts.registry.get(ref.name);
      if (prompt === undefined) throw new PromptNotFoundError(ref.name);
      return prompts.compiled(prompt).completion;
    }
    const resource = resources.registry.get(ref.uri);
    if (resource === undefined) throw new ResourceNotFoundError(ref.uri);
    return resources.compiled(resource).completion;
  }

  async #listTemplate({ list }: CompiledResource, call: OperationRequest): Promise<readonly ListedResource[]> {
    return list === undefined ? [] : this.#invoker.invoke(list, undefined, call);
  }
}

/** What is completed (specification: Completion). */
type Reference = { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };

interface CompletionParams {
  readonly ref: Reference;
  readonly argument: { readonly name: string; readonly value: string };
}

/** What an unknown method is answered with. */
export function methodNotFound(): McpError {
  return new McpError(ErrorCode.MethodNotFound, 'Method not found');
}
