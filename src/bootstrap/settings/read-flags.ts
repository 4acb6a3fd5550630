import { parseArgs } from 'node:util';
import { invalid } from '../choose-verifier';

/** The flags that Perch reads, without their dashes. What else stands on the command line belongs to the program. */
export const FLAGS = Object.freeze(['transport', 'port', 'host', 'socket', 'http-socket'] as const);

/** The name of one flag. */
export type Flag = (typeof FLAGS)[number];

/** Reads `--flag value` and `--flag=value`, up to a `--`. Of a flag that stands twice the last counts; one without a value is refused. */
export function readFlags(argv: readonly string[]): Readonly<Partial<Record<Flag, string>>> {
  const options = Object.fromEntries(FLAGS.map((name) => [name, { type: 'string' }] as const));
  const { values } = parseArgs({ args: [...argv], strict: false, options });
  return Object.fromEntries(FLAGS.flatMap((name) => (values[name] === undefined ? [] : [[name, textOf(name, values[name])]])));
}

function textOf(name: Flag, value: unknown): string {
  if (typeof value === 'string') return value;
  throw invalid(`The flag --${name} has no value`, `Write --${name}=value, or leave it out.`);
}
