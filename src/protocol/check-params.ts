import { claimedRevision } from './check-meta';
import { initializeParams, loggingLevel } from './client-shapes';
import { isObject } from './json-rpc';
import { sentence } from './shape';

type Params = Readonly<Record<string, unknown>>;

/** Says what is wrong with the params of one method. */
type Check = (params: Params) => string | undefined;

/**
 * What is wrong with the shape of a request's params. The SDK would answer these with a dump of its own schemas, or as an internal error.
 */
export function problemOfParams(method: string, params: Params): string | undefined {
  if (LEGACY_ONLY.has(method) && claimedRevision({ method, params }) !== undefined) return undefined;
  const problem = CHECKS.get(method)?.(params);
  if (problem !== undefined) return problem;
  return params['cursor'] !== undefined && typeof params['cursor'] !== 'string' ? '"cursor" must be a string' : undefined;
}

/** Methods that the modern era removed: there they are unknown, whatever their params. */
const LEGACY_ONLY: ReadonlySet<string> = new Set(['initialize', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

const checkUri: Check = ({ uri }) => (typeof uri === 'string' ? undefined : '"uri" must be a string');

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['initialize', checkInitialize],
  ['logging/setLevel', checkLevel],
  ['tools/call', (params) => checkName(params) ?? checkArguments(params)],
  ['prompts/get', (params) => checkName(params) ?? checkArguments(params) ?? checkStrings(params['arguments'])],
  ['resources/read', checkUri],
  ['resources/subscribe', checkUri],
  ['resources/unsubscribe', checkUri],
  ['completion/complete', checkCompletion],
]);

function checkLevel({ level }: Params): string | undefined {
  const fault = loggingLevel(level);
  return fault && sentence('level', fault);
}

function checkName({ name }: Params): string | undefined {
  return typeof name === 'string' ? undefined : '"name" must be a string';
}

function checkArguments(params: Params): string | undefined {
  return Object.hasOwn(params, 'arguments') && !isObject(params['arguments']) ? '"arguments" must be an object' : undefined;
}

/** The arguments of prompts are strings (specification: Prompts). */
function checkStrings(values: unknown): string | undefined {
  if (values === undefined) return undefined;
  return isObject(values) && Object.values(values).every((each) => typeof each === 'string')
    ? undefined
    : '"arguments" must be an object of strings';
}

function checkCompletion({ ref, argument, context }: Params): string | undefined {
  if (!isObject(ref)) return '"ref" must be an object';
  if (ref['type'] === 'ref/prompt' && typeof ref['name'] !== 'string') return '"ref" must have a "name"';
  if (ref['type'] === 'ref/resource' && typeof ref['uri'] !== 'string') return '"ref" must have a "uri"';
  if (ref['type'] !== 'ref/prompt' && ref['type'] !== 'ref/resource') return '"ref" must be of type ref/prompt or ref/resource';
  if (!isObject(argument) || typeof argument['name'] !== 'string' || typeof argument['value'] !== 'string')
    return '"argument" must have a "name" and a "value"';
  if (context === undefined) return undefined;
  return isObject(context) ? checkStrings(context['arguments']) : '"context" must be an object';
}

function checkInitialize(params: Params): string | undefined {
  const fault = initializeParams(params);
  return fault && sentence('params', fault);
}
