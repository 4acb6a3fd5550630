import type { PromptResult } from '../contracts/prompt';
import type { ReadResult } from '../contracts/resource';
import type { ToolResult } from '../contracts/tool';

/** Says what a value must be, if it is not. */
type Check = (value: unknown) => string | undefined;

type Members = Readonly<Record<string, Check>>;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'be a string');
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'be true or false');
const map: Check = (value) => (isObject(value) ? undefined : 'be an object');
const size: Check = (value) => (Number.isSafeInteger(value) ? undefined : 'be a whole number');
const ttl: Check = (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'be a whole number of milliseconds');
const cacheScope: Check = (value) => (value === 'public' || value === 'private' ? undefined : 'be public or private');
const priority: Check = (value) => (typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'be a number from 0 to 1');
const audience: Check = (value) =>
  Array.isArray(value) && value.every((each) => each === 'user' || each === 'assistant') ? undefined : 'be a list of user and assistant';
const icons: Check = (value) =>
  Array.isArray(value) && value.every((each) => isObject(each) && typeof each['src'] === 'string') ? undefined : 'be a list of icons';

const annotations: Check = (value) => faultOf(value, {}, { audience, priority, lastModified: text });
const contents: Check = (value) => {
  const body = isObject(value) && Object.hasOwn(value, 'blob') ? 'blob' : 'text';
  return faultOf(value, { uri: text, [body]: text }, { mimeType: text, _meta: map });
};

/** The members of each kind of content (specification: Content), those that it must have first. */
const KINDS: Readonly<Record<string, readonly [required: Members, optional: Members]>> = {
  text: [{ text }, {}],
  image: [{ data: text, mimeType: text }, {}],
  audio: [{ data: text, mimeType: text }, {}],
  resource: [{ resource: contents }, {}],
  resource_link: [
    { uri: text, name: text },
    { title: text, description: text, mimeType: text, size, icons },
  ],
};

/** What is wrong with a block of content. A client would refuse the whole result for it. */
function faultOfBlock(block: unknown): string | undefined {
  const kind = isObject(block) ? block['type'] : undefined;
  const members = typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (members === undefined) return `content must be of type ${Object.keys(KINDS).join(', ')}`;
  const fault = faultOf(block, members[0], { annotations, _meta: map, ...members[1] });
  return fault && `content of type ${String(kind)} must ${fault}`;
}

function faultOfContents(value: unknown): string | undefined {
  const fault = contents(value);
  return fault && `contents must ${fault}`;
}

/** What is wrong with a tool's result besides its content, if the content is well-formed. */
export function faultOfToolResult({ content, ...rest }: ToolResult): string | undefined {
  return firstFault(content, faultOfBlock) ?? about(rest, { isError: flag, structuredContent: map, _meta: map });
}

/** What is wrong with a prompt, or with its messages. */
export function faultOfPrompt({ messages, ...rest }: PromptResult): string | undefined {
  return firstFault(messages, ({ content }) => faultOfBlock(content)) ?? about(rest, { description: text, _meta: map });
}

/** What is wrong with the answer to a read, or with its contents. */
export function faultOfReadResult({ contents, ...rest }: ReadResult): string | undefined {
  return firstFault(contents, faultOfContents) ?? about(rest, { _meta: map, ttlMs: ttl, cacheScope });
}

function firstFault<T>(values: readonly T[], faultIn: (value: T) => string | undefined): string | undefined {
  for (const each of values) {
    const fault = faultIn(each);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function about(rest: object, members: Members): string | undefined {
  const fault = faultOf(rest, {}, members);
  return fault && `the result must ${fault}`;
}

/** What is wrong with the resources that a template lists. */
export function faultOfListed(listed: readonly unknown[]): string | undefined {
  const optional = { title: text, description: text, mimeType: text, size, icons, annotations, _meta: map };
  const fault = firstFault(listed, (each) => faultOf(each, { uri: text, name: text }, optional));
  return fault && `a listed resource must ${fault}`;
}

function faultOf(value: unknown, required: Members, optional: Members): string | undefined {
  if (!isObject(value)) return 'be an object';
  for (const [name, check] of Object.entries({ ...optional, ...required })) {
    if (!Object.hasOwn(value, name) && Object.hasOwn(optional, name)) continue;
    const fault = check(value[name]);
    if (fault !== undefined) return `have a "${name}" that must ${fault}`;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
