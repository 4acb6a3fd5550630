import { ErrorCode } from '../errors/mcp-error';
import { clientInfo, loggingLevel, modernCapabilities } from './client-shapes';
import { isMessageId, isObject } from './json-rpc';
import { object, sentence, text, version } from './shape';

/** Why a message is refused. */
export interface Problem {
  readonly code: number;
  readonly message: string;
}

type Params = Readonly<Record<string, unknown>>;

// Specification 2026-07-28: the keys of the per-request envelope.
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The first revision whose requests carry an envelope. */
const FIRST_WITH_ENVELOPE = '2026-07-28';

const ENVELOPE = new Map([
  [VERSION_KEY, version],
  [CAPABILITIES_KEY, modernCapabilities],
  ['io.modelcontextprotocol/clientInfo', clientInfo],
  ['io.modelcontextprotocol/logLevel', loggingLevel],
]);

const RELATED_TASK_KEY = 'io.modelcontextprotocol/related-task';
const relatedTask = object({ taskId: text }, ['taskId']);

/** What is wrong with `_meta`: the SDK would drop the message without an answer, or answer in the words of its schemas. */
export function problemOfMeta(params: Params, isRequest: boolean): Problem | undefined {
  if (!Object.hasOwn(params, '_meta')) return undefined;
  const meta = params['_meta'];
  if (!isObject(meta)) return { code: ErrorCode.InvalidParams, message: 'Invalid params: "_meta" must be an object' };
  return problemOfTokens(meta) ?? problemOfEnvelope(meta, isRequest);
}

/** The revision that a message names in its envelope. A legacy `initialize` names its own in the params, whatever else it carries. */
export function claimedRevision({ method, params }: Readonly<Record<string, unknown>>): string | undefined {
  const claimed = metaOf(params)?.[VERSION_KEY];
  if (typeof claimed !== 'string') return undefined;
  return method === 'initialize' && claimed < FIRST_WITH_ENVELOPE ? undefined : claimed;
}

/** True when a message has any part of the envelope. */
export function hasEnvelopeKey({ params }: Readonly<Record<string, unknown>>): boolean {
  const meta = metaOf(params);
  return meta !== undefined && [...ENVELOPE.keys()].some((key) => Object.hasOwn(meta, key));
}

function metaOf(params: unknown): Params | undefined {
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta : undefined;
}

function problemOfTokens(meta: Params): Problem | undefined {
  if (Object.hasOwn(meta, 'progressToken') && !isMessageId(meta['progressToken'])) {
    return { code: ErrorCode.InvalidRequest, message: 'Invalid request: "progressToken" must be a string or an integer' };
  }
  const fault = Object.hasOwn(meta, RELATED_TASK_KEY) ? relatedTask(meta[RELATED_TASK_KEY]) : undefined;
  return fault && { code: ErrorCode.InvalidRequest, message: `Invalid request: ${sentence(RELATED_TASK_KEY, fault)}` };
}

function problemOfEnvelope(meta: Params, isRequest: boolean): Problem | undefined {
  for (const [key, shape] of ENVELOPE) {
    if (!Object.hasOwn(meta, key)) continue;
    const fault = shape(meta[key]);
    if (fault !== undefined) return { code: ErrorCode.InvalidParams, message: `Invalid params: ${sentence(key, fault)}` };
  }
  const isIncomplete = isRequest && Object.hasOwn(meta, VERSION_KEY) && !Object.hasOwn(meta, CAPABILITIES_KEY);
  return isIncomplete
    ? { code: ErrorCode.InvalidParams, message: `Invalid params: "${CAPABILITIES_KEY}" is missing from "_meta"` }
    : undefined;
}
