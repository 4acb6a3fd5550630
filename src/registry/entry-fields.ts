import { isLimit, LONGEST_MS } from '../contracts/limits';
import type { RegisteredKind } from '../errors/registry-errors';
import type { SetupProblem } from '../errors/setup-error';

/** What clients are sent of an entry as it is; schemas are converted and checked elsewhere. */
const SENT = ['title', 'description', 'annotations', 'icons', 'meta', 'mimeType', 'size'] as const;
const TEXTS: ReadonlySet<string> = new Set(['title', 'description', 'mimeType']);

/** What is wrong with the fields of an entry: a list that holds one which cannot be sent would reach no client at all. */
export function problemOfFields(entry: object, kind: RegisteredKind, key: string): SetupProblem | undefined {
  const fields = entry as Readonly<Record<string, unknown>>;
  const field = SENT.find((name) => fields[name] !== undefined && !isSendable(name, fields[name]));
  if (field !== undefined)
    return invalid(`"${field}" of ${kind.toLowerCase()} "${key}" cannot be sent to clients.`, 'Use text and plain JSON values.', kind);
  const { timeoutMs } = fields;
  if (timeoutMs === undefined || isLimit(timeoutMs)) return undefined;
  return invalid(
    `"timeoutMs" of ${kind.toLowerCase()} "${key}" is not a time.`,
    `Use whole milliseconds from 1 to ${String(LONGEST_MS)}.`,
    kind,
  );
}

function isSendable(name: string, value: unknown): boolean {
  if (TEXTS.has(name)) return typeof value === 'string';
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

function invalid(problem: string, fix: string, kind: RegisteredKind): SetupProblem {
  return { code: 'MCP_ENTRY_INVALID', problem, where: `the options of a ${kind.toLowerCase()}`, fix };
}
