import type { ListedResource } from '../contracts/resource';
import { ErrorCode, McpError } from '../errors/mcp-error';
import { PromptNotFoundError, ResourceNotFoundError, ToolNotFoundError } from '../errors/registry-errors';
import type { CompletionOf } from '../invocation/compile-completers';
import type { CompiledResource } from '../invocation/compile-resource';
import type { OperationRequest } from '../invocation/operation-context';
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

/** The MCP methods Perch answers itself; the SDK answers the handshake, `server/discover`, `ping` and subscriptions. */
export class MethodTable {
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #catalogues: Catalogues;
  readonly #invoker: OperationInvoker;

  constructor({ catalogues, invoker, pageSize }: MethodDeps) {
    this.#catalogues = catalogues;
    this.#invoker = invoker;
    const pages = new Pages(pageSize);
    const listings = createListings(catalogues, async (entry, call) => this.#listTemplate(catalogues.resources.compiled(entry), call));
    this.#methods = new Map<string, Method>([
      ...[...listings].map(
        ([method, listing]) => [method, ({ cursor }, call) => pages.answer(method, listing, { cursor, call })] as [string, Method],
      ),
      ['tools/call', (params, call) => this.#callTool(params, call)],
      ['resources/read', (params, call) => this.#forResource(params, call, ({ read }) => read)],
      ['resources/subscribe', (params, call, subscriptions) => this.#subscribe(params, call, subscriptions)],
      ['resources/unsubscribe', ({ uri }, _call, subscriptions) => (subscriptions.remove(String(uri)), {})],
      ['prompts/get', (params, call) => this.#getPrompt(params, call)],
      ['completion/complete', ({ ref, ...params }, call) => this.#complete(ref as Reference, params as unknown as CompletionParams, call)],
    ]);
  }

  /** The method of that name in an era. */
  get(method: string, era: OperationRequest['era']): Method | undefined {
    return era === 'modern' && LEGACY_ONLY.has(method) ? undefined : this.#methods.get(method);
  }

  #callTool({ name, arguments: args }: Params, call: OperationRequest): unknown {
    const { registry, compiled } = this.#catalogues.tools;
    const entry = registry.get(String(name));
    // The specification wants -32602 for an unknown tool; -32601 would say that tools/call itself is missing.
    if (entry === undefined) throw new ToolNotFoundError(String(name));
    return this.#invoker.invoke(compiled(entry), args, call);
  }

  #forResource<K extends 'read' | 'subscribe'>(
    { uri }: Params,
    call: OperationRequest,
    pick: (compiled: CompiledResource) => CompiledResource[K],
  ): Promise<unknown> {
    const { registry, compiled } = this.#catalogues.resources;
    const match: ResourceMatch | undefined = registry.match(String(uri));
    if (match === undefined) throw new ResourceNotFoundError(String(uri));
    const { entry, ...request } = match;
    return this.#invoker.invoke<unknown>(pick(compiled(entry)), request, call);
  }

  async #subscribe(params: Params, call: OperationRequest, subscriptions: Subscriptions): Promise<object> {
    await this.#forResource(params, call, ({ subscribe }) => subscribe);
    subscriptions.add(String(params['uri']));
    return {};
  }

  #getPrompt({ name, arguments: args }: Params, call: OperationRequest): unknown {
    const { registry, compiled } = this.#catalogues.prompts;
    const entry = registry.get(String(name));
    if (entry === undefined) throw new PromptNotFoundError(String(name));
    return this.#invoker.invoke(compiled(entry).get, args, call);
  }

  #complete(ref: Reference, params: CompletionParams, call: OperationRequest): unknown {
    return this.#invoker.invoke(this.#completionOf(ref)(params.argument.name), params, call);
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
  readonly argument: { readonly name: string; readonly value: string };
}

/** What an unknown method is answered with. */
export function methodNotFound(): McpError {
  return new McpError(ErrorCode.MethodNotFound, 'Method not found');
}
