import type { ContentBlock, ToolResult } from '../contracts/tool';
import type { OutputChecker } from '../schema/output-schema';
import { faultOfToolResult } from './content-faults';

const EMPTY: ToolResult = Object.freeze({ content: Object.freeze([]) });

/** A result that breaks the tool's own promise: the author's mistake, never the caller's. */
export class ResultMismatch extends Error {
  constructor(problems: readonly string[]) {
    super(`The result does not match the output schema: ${problems.join('; ')}`);
    this.name = 'ResultMismatch';
  }
}

/** A result that no client would take is the author's mistake too. */
export function wellFormed<R>(result: R, faultIn: (result: R) => string | undefined): R {
  const fault = faultIn(result);
  if (fault !== undefined) throw new TypeError(`The result cannot be sent: ${fault}`);
  return result;
}

/**
 * Turns what a handler returned into a tool result made of plain JSON. Throws when the value cannot be serialised, or when it does not
 * match `output`.
 */
export function toToolResult(value: unknown, output?: OutputChecker): ToolResult | Promise<ToolResult> {
  if (isContentResult(value)) return passedThrough(value, output);
  if (output !== undefined) return structured(value, output);
  if (typeof value === 'string') return text(value);
  if (value === undefined) return EMPTY;
  // A function or a symbol has no JSON text; the client sees empty content, as for undefined.
  const json: string | undefined = JSON.stringify(value);
  return json === undefined ? EMPTY : text(json);
}

/** The result of an engine: its JSON text whatever it is, `null` for what has none, and checked against `output`. */
export function toEngineResult(value: unknown, output?: OutputChecker): ToolResult | Promise<ToolResult> {
  if (output !== undefined) return structured(value, output);
  const json: string | undefined = JSON.stringify(value);
  return text(json ?? 'null');
}

async function structured(value: unknown, output: OutputChecker): Promise<ToolResult> {
  const structuredContent = await checked(value, output);
  const json = JSON.stringify(structuredContent);
  return sendable({ ...textOf(json), structuredContent }, json.length);
}

/** V8 makes no string of more characters; the protocol needs some for what stands around the result. */
const LONGEST_TEXT = 2 ** 29 - 2 ** 20;
/** Escaping makes JSON at most six times as long, twice where structured content repeats it; below this nothing can go wrong. */
const SURELY_SENDABLE = 40_000_000;

/** A result is serialised once more inside its message; what cannot be is refused while it can still be answered. */
function sendable(result: ToolResult, length: number): ToolResult {
  if (length > SURELY_SENDABLE && JSON.stringify(result).length > LONGEST_TEXT) throw new RangeError('The result is too long to be sent');
  return result;
}

/** A failed result is for the model to read and has no structure to check. */
async function passedThrough(value: ToolResult, output?: OutputChecker): Promise<ToolResult> {
  // The result as JSON carries it: no getter, `toJSON` or cycle is left for a transport to trip over.
  const json = JSON.stringify(value);
  const parsed: unknown = JSON.parse(json);
  if (!isContentResult(parsed)) throw new TypeError('The result has content, but its toJSON() gives something else');
  const { content, structuredContent, isError, _meta } = parsed;
  const result = sendable(wellFormed(present({ content, structuredContent, isError, _meta }), faultOfToolResult), json.length);
  if (output === undefined || result.isError === true) return result;
  return { ...result, structuredContent: await checked(result.structuredContent, output) };
}

/** Only what a tool result has: a `resultType` of the handler's own would say something else to the protocol. */
function present(result: { readonly [K in keyof ToolResult]: ToolResult[K] | undefined }): ToolResult {
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined)) as unknown as ToolResult;
}

async function checked(value: unknown, output: OutputChecker): Promise<unknown> {
  if (!isRecord(value)) throw new ResultMismatch(['result must be object']);
  const match = await output.check(value);
  if (match.problems !== undefined) throw new ResultMismatch(match.problems);
  return match.value;
}

function text(content: string): ToolResult {
  return sendable(textOf(content), content.length);
}

function textOf(content: string): ToolResult {
  return { content: [{ type: 'text', text: content }] };
}

function isContentResult(value: unknown): value is ToolResult {
  return isRecord(value) && Array.isArray(value['content']) && value['content'].every(isContentBlock);
}

function isContentBlock(value: unknown): value is ContentBlock {
  return isRecord(value) && typeof value['type'] === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
