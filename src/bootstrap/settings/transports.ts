import type { McpSetupError } from '../../errors/setup-error';
import { nearNames } from '../../errors/near-names';
import { invalid } from '../choose-verifier';
import { TRANSPORTS, type SettingSources, type TransportName } from './door-options';
import { readSetting, type Setting } from './read-setting';

/** What a client may name as the transport of a server, for hosts that list it. `'sse'` is an old name of `'http'`. */
export const serves = Object.freeze(['stdio', 'sse', 'http'] as const);

/** What is opened, and whether that was said by the old name of HTTP. */
export interface ChosenTransports {
  readonly names: readonly TransportName[];
  readonly saysSse: boolean;
}

/** The setting of that name. */
export const TRANSPORT: Setting<ChosenTransports> = Object.freeze({
  options: ['transports', 'mode'],
  flag: 'transport',
  variables: ['PERCH_TRANSPORT', 'SOX_MCP_TRANSPORT'],
  default: 'stdio',
  read: (raw: unknown, name: string) => choose(namesIn(raw, name), name),
  keyOf: ({ names }: ChosenTransports) => [...names].sort().join(),
} as const);

/** What is said about it, or stdio. */
export function chooseTransports(sources: SettingSources): ChosenTransports {
  return readSetting(TRANSPORT, sources)?.value ?? { names: ['stdio'], saysSse: false };
}

/**
 * The transports that `listen` opens with these sources: the options `transports` or `mode`, else `--transport`, else `PERCH_TRANSPORT`, else
 * `SOX_MCP_TRANSPORT`, else stdio. Each stands there once; `'sse'` comes out as `'http'`. Throws an `McpSetupError` for a name that is none,
 * for an empty list, and for two names of the setting that disagree.
 */
export function resolveTransports(sources: SettingSources = {}): readonly TransportName[] {
  return chooseTransports(sources).names;
}

/** The same for a program that serves one transport: throws an `McpSetupError` also where several are asked for. */
export function resolveTransportMode(sources: SettingSources = {}): TransportName {
  const [first = 'stdio', ...others] = resolveTransports(sources);
  if (others.length === 0) return first;
  throw invalid(`Several transports are asked for, ${[first, ...others].join(', ')}, where one is served`, 'Name one of them.');
}

/** `transports` is a list and `mode` is one name; flags and variables are text, with commas between several. */
function namesIn(raw: unknown, name: string): readonly unknown[] {
  if (name === 'mode') return [raw];
  if (name !== 'transports')
    return String(raw)
      .split(',')
      .map((each) => each.trim());
  if (Array.isArray(raw)) return raw;
  throw invalid('The option "transports" is not a list', "Pass one such as ['stdio', 'http'], or mode: 'http' for one of them.");
}

function choose(asked: readonly unknown[], name: string): ChosenTransports {
  if (asked.length === 0) throw invalid(`${name} names no transport`, `Name one or more of ${TRANSPORTS.join(', ')}.`);
  const names = asked.map((each) => (each === 'sse' ? 'http' : each));
  const unknown = names.find((each) => !isTransport(each));
  if (unknown !== undefined) throw notTransport(typeof unknown === 'string' ? unknown : typeof unknown, name);
  return { names: [...new Set(names.filter(isTransport))], saysSse: asked.includes('sse') };
}

function notTransport(asked: string, name: string): McpSetupError {
  return invalid(`"${asked}" is not a transport (${name})`, `Use ${TRANSPORTS.join(', ')}. ${nearNames(asked, TRANSPORTS)}`);
}

function isTransport(name: unknown): name is TransportName {
  return TRANSPORTS.some((each) => each === name);
}
