import type { Limits } from '../contracts/limits';
import { ErrorCode } from '../errors/mcp-error';
import { problemOfMeta, type Problem } from './check-meta';
import { problemOfParams } from './check-params';
import { excessOf, type Excess } from './json-bounds';
import { errorAnswer, isMessageId, isObject, type ErrorAnswer, type MessageId } from './json-rpc';

/** A message that may go on. */
export interface GoodMessage {
  readonly kind: 'request' | 'notification' | 'response';
  readonly message: Record<string, unknown>;
}

/** A message that is answered here, or dropped when there is nothing to answer. */
export interface BadMessage {
  readonly kind: 'bad';
  readonly answer: ErrorAnswer | undefined;
}

type MessageLimits = Pick<Limits, 'depth' | 'elements'>;

const DROPPED: BadMessage = { kind: 'bad', answer: undefined };

/**
 * Checks that parsed JSON is one JSON-RPC message of MCP's shape, before anything else sees it (specification: Messages). What passes, the
 * SDK reads: it would drop anything else without a word. A batch is none: who accepts batches takes them apart before.
 */
export function checkMessage(value: unknown, limits: MessageLimits): GoodMessage | BadMessage {
  if (Array.isArray(value)) return refuse(null, invalid('batches are not accepted'));
  if (!isObject(value)) return refuse(null, invalid('a JSON-RPC message is an object'));
  const hasId = Object.hasOwn(value, 'id');
  if (hasId && !isMessageId(value['id'])) return refuse(null, invalid('"id" must be a string or an integer'));
  const id = hasId ? (value['id'] as MessageId) : null;
  if (value['jsonrpc'] !== '2.0') return refuse(id, invalid('"jsonrpc" must be "2.0"'));
  if (!Object.hasOwn(value, 'method')) return checkResponse(value, id, limits);
  const problem = problemOfCall(value, limits);
  if (problem === undefined) return { kind: hasId ? 'request' : 'notification', message: value };
  // JSON-RPC: a notification is never answered, not even one that cannot be understood.
  if (!hasId && typeof value['method'] === 'string') return DROPPED;
  return refuse(id, problem);
}

function checkResponse(value: Record<string, unknown>, id: MessageId | null, limits: MessageLimits): GoodMessage | BadMessage {
  const outcome = ['result', 'error'].find((name) => Object.hasOwn(value, name));
  if (outcome === undefined) return refuse(id, invalid('"method" is missing'));
  const body = value[outcome];
  if (id === null || !isObject(body) || hasOthers(value, ['jsonrpc', 'id', outcome])) return DROPPED;
  if (!(outcome === 'error' ? isError(body) : isResult(body))) return DROPPED;
  const excess = excessOf(body, limits);
  if (excess === undefined) return { kind: 'response', message: value };
  // Whoever waits for it learns that it will not come.
  return {
    kind: 'response',
    message: { ...errorAnswer(id, ErrorCode.InvalidRequest, `Invalid response: ${tooMuch(outcome, excess, limits)}`) },
  };
}

function isError({ code, message }: Record<string, unknown>): boolean {
  return Number.isSafeInteger(code) && typeof message === 'string';
}

function isResult(result: Record<string, unknown>): boolean {
  return !Object.hasOwn(result, '_meta') || isObject(result['_meta']);
}

function problemOfCall(value: Record<string, unknown>, limits: MessageLimits): Problem | undefined {
  const { method } = value;
  if (typeof method !== 'string' || method === '') return invalid('"method" must be a string');
  if (hasOthers(value, ['jsonrpc', 'id', 'method', 'params']))
    return invalid('only "jsonrpc", "id", "method" and "params" may stand in it');
  const params = Object.hasOwn(value, 'params') ? value['params'] : {};
  if (!isObject(params)) return invalid('"params" must be an object');
  return problemOfSize(method, params, limits) ?? problemOfMeta(params, Object.hasOwn(value, 'id')) ?? problemOfShape(method, params);
}

/**
 * A tool's arguments have bounds of their own, answered as a failed call that the model can read. Only such as would overflow the stack of
 * what stands in between are refused here.
 */
function problemOfSize(method: string, params: Record<string, unknown>, limits: MessageLimits): Problem | undefined {
  const isToolCall = method === 'tools/call';
  const excess = excessOf(params, limits, isToolCall ? 'arguments' : undefined);
  if (excess !== undefined) return invalid(tooMuch('params', excess, limits));
  const { arguments: values } = params;
  if (!isToolCall || !isObject(values)) return undefined;
  const isFarTooDeep = excessOf(values, { depth: 2 * limits.depth, elements: Infinity }) === 'deep';
  return isFarTooDeep ? invalid(tooMuch('arguments', 'deep', limits)) : undefined;
}

function tooMuch(name: string, excess: Excess, { depth, elements }: MessageLimits): string {
  if (excess === 'infinite') return `"${name}" have a number that is too large`;
  return excess === 'deep'
    ? `"${name}" are nested deeper than ${String(depth)} levels`
    : `"${name}" have more than ${String(elements)} elements`;
}

function problemOfShape(method: string, params: Record<string, unknown>): Problem | undefined {
  const problem = problemOfParams(method, params);
  return problem === undefined ? undefined : { code: ErrorCode.InvalidParams, message: `Invalid params: ${problem}` };
}

/** Stops at the first other member: there may be as many as fit into a message. */
function hasOthers(value: Record<string, unknown>, names: readonly string[]): boolean {
  for (const name in value) if (!names.includes(name)) return true;
  return false;
}

function invalid(reason: string): Problem {
  return { code: ErrorCode.InvalidRequest, message: `Invalid request: ${reason}` };
}

function refuse(id: MessageId | null, { code, message }: Problem): BadMessage {
  return { kind: 'bad', answer: errorAnswer(id, code, message) };
}
