import { isObject } from './json-rpc';

/** What is wrong with a value, and where below it. */
export interface Fault {
  readonly path: string;
  readonly must: string;
}

/** Says what is wrong with a value, if anything. For the few places where the SDK's schemas would answer with a dump of themselves. */
export type Shape = (value: unknown) => Fault | undefined;

/** The longest text that may name a revision; answers repeat it. */
const VERSION_LENGTH = 100;

export const text: Shape = (value) => (typeof value === 'string' ? undefined : here('be a string'));
export const flag: Shape = (value) => (typeof value === 'boolean' ? undefined : here('be true or false'));
export const version: Shape = (value) =>
  typeof value === 'string' && value.length <= VERSION_LENGTH
    ? undefined
    : here(`be a string of at most ${String(VERSION_LENGTH)} characters`);

/** One of these values. */
export function oneOf(...values: readonly string[]): Shape {
  return (value) => (typeof value === 'string' && values.includes(value) ? undefined : here(`be one of ${values.join(', ')}`));
}

/** An object whose members, where it has them, are as given. Others are not looked at. */
export function object(members: Readonly<Record<string, Shape>> = {}, required: readonly string[] = []): Shape {
  const shapes = Object.entries(members);
  return (value) => {
    if (!isObject(value)) return here('be an object');
    const missing = required.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return { path: `.${missing}`, must: 'be present' };
    for (const [name, shape] of shapes) {
      const fault = Object.hasOwn(value, name) ? shape(value[name]) : undefined;
      if (fault !== undefined) return { ...fault, path: `.${name}${fault.path}` };
    }
    return undefined;
  };
}

/** A list of such values. */
export function listOf(shape: Shape): Shape {
  return (value) => (Array.isArray(value) ? within('[]', value, shape) : here('be a list'));
}

/** An object of such values, under any names. */
export function mapOf(shape: Shape): Shape {
  return (value) => (isObject(value) ? within('.*', Object.values(value), shape) : here('be an object'));
}

/** The fault as a sentence that begins with the value's name. */
export function sentence(name: string, { path, must }: Fault): string {
  return `"${name}${path}" must ${must}`;
}

function here(must: string): Fault {
  return { path: '', must };
}

/** The place is not named: it would be the sender's text. */
function within(step: string, values: readonly unknown[], shape: Shape): Fault | undefined {
  for (const each of values) {
    const fault = shape(each);
    if (fault !== undefined) return { ...fault, path: `${step}${fault.path}` };
  }
  return undefined;
}
