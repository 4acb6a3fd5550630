import { OfficialSchema } from './official-schema';

const LATEST_LEGACY = '2025-11-25';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

type Message = Readonly<Record<string, any>>;

interface Asked {
  readonly method: unknown;
  readonly revision: string | undefined;
}

/** What one client and the server say to each other, held to the official schema of the revision they speak. */
export class Conversation {
  readonly #asked = new Map<unknown, Asked>();
  #negotiated: string | undefined;
  #claimed: string | undefined;

  /** Takes what the client sent, however wrong it is: only the server has to keep to the schema. */
  hear(text: string): never[] {
    for (const message of objectsIn(parsed(text))) {
      const claimed: unknown = message['params']?._meta?.[VERSION_KEY];
      const revision = typeof claimed === 'string' ? claimed : undefined;
      this.#claimed ??= revision;
      if (Object.hasOwn(message, 'id')) this.#asked.set(message['id'], { method: message['method'], revision });
    }
    return [];
  }

  /** What is wrong with what the server sent; `revision` is what its transport says of it. */
  say(text: string, revision?: string): string[] {
    const value = parsed(text);
    if (value === undefined) return [`not JSON: ${text.slice(0, 100)}`];
    const messages = Array.isArray(value) ? value : [value];
    return messages.flatMap((each) => {
      if (objectsIn(each).length === 0) return [`not a message: ${text.slice(0, 100)}`];
      const [problem] = this.#problems(each as Message, revision);
      return problem === undefined ? [] : [`${problem}\n  in ${JSON.stringify(each).slice(0, 300)}`];
    });
  }

  #problems(message: Message, revision: string | undefined): string[] {
    const kinds = ['method', 'result', 'error'].filter((kind) => Object.hasOwn(message, kind));
    if (kinds.length !== 1) return [`a message has one of method, result and error, this one ${kinds.join(', ') || 'none'}`];
    const asked = this.#asked.get(message['id']);
    if (kinds[0] === 'method')
      return fromServer(OfficialSchema.of(this.#negotiated ?? revision ?? this.#claimed ?? LATEST_LEGACY), message);
    if (asked === undefined && message['id'] !== null) return [`nobody asked under the id ${JSON.stringify(message['id'])}`];
    if (kinds[0] === 'result' && asked?.method === 'initialize') this.#negotiated = String(message['result']?.protocolVersion);
    const schema = OfficialSchema.of(asked?.revision ?? this.#negotiated ?? revision ?? this.#claimed ?? LATEST_LEGACY);
    return kinds[0] === 'error' ? failed(schema, message) : answered(schema, message, asked?.method);
  }
}

function fromServer(schema: OfficialSchema, message: Message): string[] {
  const [union, frame] = Object.hasOwn(message, 'id') ? ['ServerRequest', 'JSONRPCRequest'] : ['ServerNotification', 'JSONRPCNotification'];
  const definition = schema.named(String(message['method']));
  if (definition === undefined || !schema.hasMember(union, definition))
    return [`${schema.revision} has no ${String(message['method'])} among ${union}`];
  return [...schema.problems(frame, message), ...schema.problems(definition, message)];
}

function answered(schema: OfficialSchema, message: Message, method: unknown): string[] {
  return [
    ...schema.problems(schema.oneOf('JSONRPCResultResponse', 'JSONRPCResponse'), message),
    ...schema.problems(resultOf(schema, method, message['result']?.resultType), message['result']),
  ];
}

/** The specification names the result of a `CallToolRequest` `CallToolResult`; requests without one have the empty result. */
function resultOf(schema: OfficialSchema, method: unknown, resultType: unknown): string {
  if (resultType === 'input_required') return schema.oneOf('InputRequiredResult', 'EmptyResult');
  return schema.oneOf(String(schema.named(String(method))).replace(/Request$/, 'Result'), 'EmptyResult');
}

/**
 * JSON-RPC 2.0, 5: where the id could not be read, it is null. MCP's schemas have no null there: the newer ones leave the id out, the older ones
 * require one. This is the one place where a message is not held to the letter.
 */
function failed(schema: OfficialSchema, message: Message): string[] {
  const readable = message['id'] === null ? { ...message, id: 'unreadable' } : message;
  const own = schema.errorWith(message['error']?.code);
  return [
    ...schema.problems(schema.oneOf('JSONRPCErrorResponse', 'JSONRPCError'), readable),
    ...(own === undefined ? [] : schema.problems(own, readable)),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function objectsIn(value: unknown): Message[] {
  if (Array.isArray(value)) return value.flatMap((each) => (Array.isArray(each) ? [] : objectsIn(each)));
  return typeof value === 'object' && value !== null ? [value] : [];
}
