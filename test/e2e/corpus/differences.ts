import type { Exchange, RawDoor } from '../../support/raw-doors';

/** What a difference is judged by. */
export interface Circumstances {
  readonly door: Pick<RawDoor, 'transport' | 'era'>;
  /** The members of the request. */
  readonly members: Readonly<Record<string, any>>;
  /** The same exchange over stdio in the legacy era, which all are compared with. */
  readonly reference: Exchange;
  /** The status of the same exchange over HTTP in the legacy era. */
  readonly status: number | undefined;
}

/** One difference that the specification names. */
export interface Difference {
  readonly says: string;
  readonly link: string;
  /** The exchange as it would be without this difference; undefined where it does not occur. */
  readonly without: (exchange: Exchange, circumstances: Circumstances) => Exchange | undefined;
}

const SPEC = 'https://modelcontextprotocol.io/specification';
const MODERN = `${SPEC}/2026-07-28`;
const LEGACY = `${SPEC}/2025-11-25`;
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const NOT_FOUND = { code: -32601, message: 'Method not found' };

/** Every difference between the eras and the transports that an answer may show. Each must occur in the corpus. */
export const DIFFERENCES: readonly Difference[] = [
  {
    says: 'a modern result says that it is complete',
    link: `${MODERN}/basic#resulttype`,
    without: inModernResult((result) => (result['resultType'] === 'complete' ? omit(result, 'resultType') : undefined)),
  },
  {
    says: 'a modern list or resource says how long and for whom it may be kept',
    link: `${MODERN}/server/utilities/caching`,
    without: inModernResult((result) => {
      const isHint = Number.isInteger(result['ttlMs']) && ['public', 'private'].includes(String(result['cacheScope']));
      return isHint ? omit(result, 'ttlMs', 'cacheScope') : undefined;
    }),
  },
  {
    says: 'a modern result names the server',
    link: `${MODERN}/basic#_meta`,
    without: inModernResult((result) => {
      const { [SERVER_INFO]: server, ...rest } = (result['_meta'] ?? {}) as Record<string, unknown>;
      if ((server as { name?: unknown } | undefined)?.name !== 'test') return undefined;
      return Object.keys(rest).length > 0 ? { ...result, _meta: rest } : omit(result, '_meta');
    }),
  },
  {
    says: 'the modern era has no ping and no logging/setLevel',
    link: `${MODERN}/changelog#major-changes`,
    without: removedFromModern('ping', 'logging/setLevel'),
  },
  {
    says: 'the modern era has subscriptions/listen in place of resources/subscribe and resources/unsubscribe',
    link: `${MODERN}/basic/patterns/subscriptions`,
    without: removedFromModern('resources/subscribe', 'resources/unsubscribe'),
  },
  {
    says: 'the modern era has no initialize',
    link: `${MODERN}/basic/versioning`,
    without: removedFromModern('initialize'),
  },
  {
    says: 'only the modern era has server/discover',
    link: `${MODERN}/server/discover`,
    without: (exchange, { door, members, reference }) =>
      door.era === 'modern' &&
      members['method'] === 'server/discover' &&
      isNotFound(reference) &&
      Array.isArray(exchange.answer.result?.['supportedVersions'])
        ? { ...exchange, answer: reference.answer }
        : undefined,
  },
  {
    says: 'a modern request is told of the log only if it names a level',
    link: `${MODERN}/server/utilities/logging`,
    without: (exchange, { door, members, reference }) => {
      const others = reference.notifications.filter((each) => !isLog(each));
      const isSilent = door.era === 'modern' && members['params']?._meta?.[LOG_LEVEL] === undefined && !exchange.notifications.some(isLog);
      const saysTheRest = JSON.stringify(others) === JSON.stringify(exchange.notifications);
      return isSilent && saysTheRest && others.length < reference.notifications.length
        ? { ...exchange, notifications: reference.notifications }
        : undefined;
    },
  },
  {
    says: 'a client without the capability is an error of its own in the modern era',
    link: `${MODERN}/schema#missingrequiredclientcapabilityerror`,
    without: (exchange, { door, reference }) => {
      const { code, data } = exchange.answer.error ?? {};
      const isNamed = code === -32021 && JSON.stringify(data) === '{"requiredCapabilities":{"elicitation":{}}}';
      const isFailedCall = reference.answer.result?.['isError'] === true;
      if (door.era === 'legacy' || !isNamed || !isFailedCall) return undefined;
      return exchange.status === undefined || exchange.status === 400
        ? { ...exchange, answer: reference.answer, ...(exchange.status && { status: 200 }) }
        : undefined;
    },
  },
  {
    says: 'over HTTP a method that does not exist is 404 in the modern era',
    link: `${MODERN}/basic/transports/streamable-http#protocol-version-header`,
    // Looked at before the answer is made equal, see `withoutDifferences`.
    without: (exchange, { door, status }) =>
      door.era === 'modern' && exchange.status === 404 && status !== undefined ? { ...exchange, status } : undefined,
  },
  {
    says: 'only HTTP has a status',
    link: `${LEGACY}/basic/transports#sending-messages-to-the-server`,
    without: (exchange, { door, status }) =>
      door.transport === 'HTTP' && exchange.status === status && status !== undefined
        ? { answer: exchange.answer, notifications: exchange.notifications }
        : undefined,
  },
  {
    says: 'only legacy HTTP has sessions',
    link: `${LEGACY}/basic/transports#session-management`,
    without: (exchange, { door }) => {
      const text = JSON.stringify(exchange);
      const told = text.replace('\\"hasSession\\":true', '\\"hasSession\\":false');
      return door.transport === 'HTTP' && door.era === 'legacy' && told !== text ? (JSON.parse(told) as Exchange) : undefined;
    },
  },
];

/** The exchange without all differences, and those that occurred. A 404 must say that the method was not found. */
export function withoutDifferences(
  exchange: Exchange,
  circumstances: Circumstances,
): { readonly exchange: Exchange; readonly used: readonly Difference[] } {
  const used: Difference[] = [];
  let rest = exchange;
  const isWronglyMissing = exchange.status === 404 && !isNotFound(exchange);
  for (const difference of isWronglyMissing ? [] : DIFFERENCES) {
    const without = difference.without(rest, circumstances);
    if (without === undefined) continue;
    used.push(difference);
    rest = without;
  }
  return { exchange: rest, used };
}

type Result = Readonly<Record<string, unknown>>;

function inModernResult(change: (result: Result) => Result | undefined): Difference['without'] {
  return (exchange, { door }) => {
    const { result } = exchange.answer;
    const changed = door.era === 'modern' && result !== undefined ? change(result) : undefined;
    return changed && { ...exchange, answer: { ...exchange.answer, result: changed } };
  };
}

function removedFromModern(...methods: readonly string[]): Difference['without'] {
  return (exchange, { door, members, reference }) =>
    door.era === 'modern' && methods.includes(String(members['method'])) && isNotFound(exchange) && !isNotFound(reference)
      ? { ...exchange, answer: reference.answer }
      : undefined;
}

function isNotFound({ answer }: Exchange): boolean {
  return JSON.stringify(answer.error) === JSON.stringify(NOT_FOUND);
}

function isLog(notification: object): boolean {
  return (notification as { method?: unknown }).method === 'notifications/message';
}

function omit(result: Result, ...names: readonly string[]): Result {
  return Object.fromEntries(Object.entries(result).filter(([name]) => !names.includes(name)));
}
