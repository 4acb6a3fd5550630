import type { Limits } from '../contracts/limits';
import { ErrorCode } from '../errors/mcp-error';
import { problemOfParams } from './check-params';
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

/**
 * Checks that parsed JSON is one JSON-RPC message of MCP's shape, before anything else sees it (specification: Messages). Batches are
 * refused: no revision since 2025-06-18 has them.
 */
export function checkMessage(value: unknown, limits: Pick<Limits, 'depth'>): GoodMessage | BadMessage {
  if (Array.isArray(value)) return refuse(null, ErrorCode.InvalidRequest, 'Invalid request: batches are not accepted');
  if (!isObject(value)) return refuse(null, ErrorCode.InvalidRequest, 'Invalid request: a JSON-RPC message is an object');
  const hasId = Object.hasOwn(value, 'id');
  if (hasId && !isMessageId(value['id']))
    return refuse(null, ErrorCode.InvalidRequest, 'Invalid request: "id" must be a string or an integer');
  const id = hasId ? (value['id'] as MessageId) : null;
  if (value['jsonrpc'] !== '2.0') return refuse(id, ErrorCode.InvalidRequest, 'Invalid request: "jsonrpc" must be "2.0"');
  if (!Object.hasOwn(value, 'method')) return checkResponse(value, id);
  return checkCall(value, id, limits);
}

function checkResponse(value: Record<string, unknown>, id: MessageId | null): GoodMessage | BadMessage {
  const isAnswer = Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
  if (!isAnswer) return refuse(id, ErrorCode.InvalidRequest, 'Invalid request: "method" is missing');
  if (id === null || (!isObject(value['result']) && !isObject(value['error']))) return { kind: 'bad', answer: undefined };
  return { kind: 'response', message: value };
}

function checkCall(value: Record<string, unknown>, id: MessageId | null, limits: Pick<Limits, 'depth'>): GoodMessage | BadMessage {
  const { method, params } = value;
  const isNotification = id === null;
  const problem = problemOf(method, params, limits.depth);
  if (problem === undefined) return { kind: isNotification ? 'notification' : 'request', message: value };
  // JSON-RPC: a notification is never answered, not even one that cannot be understood.
  if (isNotification && typeof method === 'string') return { kind: 'bad', answer: undefined };
  return refuse(id, problem.code, problem.message);
}

function invalidParams(method: string, params: Record<string, unknown>): Problem | undefined {
  const problem = problemOfParams(method, params);
  return problem === undefined ? undefined : { code: ErrorCode.InvalidParams, message: `Invalid params: ${problem}` };
}

interface Problem {
  readonly code: number;
  readonly message: string;
}

function problemOf(method: unknown, params: unknown, depth: number): Problem | undefined {
  if (typeof method !== 'string' || method === '')
    return { code: ErrorCode.InvalidRequest, message: 'Invalid request: "method" must be a string' };
  if (params === undefined) return invalidParams(method, {});
  if (!isObject(params)) return { code: ErrorCode.InvalidRequest, message: 'Invalid request: "params" must be an object' };
  if (Object.hasOwn(params, '_meta') && !isObject(params['_meta']))
    return { code: ErrorCode.InvalidParams, message: 'Invalid params: "_meta" must be an object' };
  if (isTooDeep(withoutArguments(method, params), depth))
    return { code: ErrorCode.InvalidRequest, message: `Invalid request: "params" are nested deeper than ${String(depth)} levels` };
  return invalidParams(method, params);
}

/** A tool's arguments have bounds of their own, answered as a failed call that the model can read. */
function withoutArguments(method: string, params: Record<string, unknown>): Record<string, unknown> {
  return method === 'tools/call' ? { ...params, arguments: undefined } : params;
}

/** Goes through the value level by level, so that hostile depth costs no stack. */
export function isTooDeep(value: unknown, limit: number): boolean {
  let level = containersIn([value]);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((each) => containersIn(Object.values(each)));
  }
  return false;
}

function containersIn(values: readonly unknown[]): object[] {
  return values.filter((each): each is object => typeof each === 'object' && each !== null);
}

function refuse(id: MessageId | null, code: number, message: string): BadMessage {
  return { kind: 'bad', answer: errorAnswer(id, code, message) };
}
