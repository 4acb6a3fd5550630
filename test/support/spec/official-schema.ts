import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { runInThisContext } from 'node:vm';
import type { Ajv, AnySchemaObject } from 'ajv';

const FOLDER = resolve(process.env['PERCH_SPEC_DIR'] ?? resolve(__dirname, '../../../../shared/data'));
const COMPILERS = Symbol.for('official schemas');

/** True where the official JSON Schemas are at hand. */
export const HAS_SCHEMAS = existsSync(FOLDER);

/** The revisions that have a schema, oldest first. */
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

type Definition = AnySchemaObject & { readonly properties?: Readonly<Record<string, any>>; readonly anyOf?: readonly { $ref?: string }[] };

/** The official JSON Schema of one revision, read and compiled definition by definition when first needed. */
export class OfficialSchema {
  static readonly #known = new Map<string, OfficialSchema>();
  readonly #definitions: Readonly<Record<string, Definition>>;
  readonly #path: string;
  readonly #ajv: Ajv;
  readonly #byMethod = new Map<string, string>();

  private constructor(readonly revision: string) {
    this.#ajv = compilerOf(revision, resolve(FOLDER, `mcp-schema-${revision}.json`));
    const schema = this.#ajv.getSchema(revision)?.schema as AnySchemaObject;
    const key = is2020(schema) ? '$defs' : 'definitions';
    this.#path = `${revision}#/${key}/`;
    this.#definitions = schema[key] as Record<string, Definition>;
    for (const [name, { properties }] of Object.entries(this.#definitions)) {
      const method: unknown = properties?.['method']?.const;
      if (typeof method === 'string' && !name.startsWith('Client')) this.#byMethod.set(method, name);
    }
  }

  /** The schema that a message of this revision is held to: a revision without one has its nearest neighbour's. */
  static of(revision: string): OfficialSchema {
    const name = REVISIONS.find((each) => each >= revision) ?? '2026-07-28';
    const schema = this.#known.get(name) ?? new OfficialSchema(name);
    this.#known.set(name, schema);
    return schema;
  }

  /** The definition of a request or notification with this method. */
  named(method: string): string | undefined {
    return this.#byMethod.get(method);
  }

  /** The first of these definitions that the revision has: some were renamed. */
  oneOf(...names: readonly string[]): string {
    const found = names.find((name) => name in this.#definitions);
    if (found === undefined) throw new Error(`${this.revision} has none of ${names.join(', ')}`);
    return found;
  }

  /** True when the union has the definition as a member. A revision without the union has no members of it. */
  hasMember(union: string, name: string): boolean {
    return this.#definitions[union]?.anyOf?.some(({ $ref }) => $ref?.endsWith(`/${name}`)) ?? false;
  }

  /** The definition of errors with this code, where they have one of their own. */
  errorWith(code: unknown): string | undefined {
    const isIt = ({ properties }: Definition): boolean =>
      (properties?.['error']?.allOf as Definition[] | undefined)?.some((part) => part.properties?.['code']?.const === code) ?? false;
    return Object.entries(this.#definitions).find(([, definition]) => isIt(definition))?.[0];
  }

  /** What is wrong with a value; nothing when it is valid. */
  problems(definition: string, value: unknown): string[] {
    const validate = this.#ajv.getSchema(this.#path + definition);
    if (validate === undefined) throw new Error(`${this.revision} has no ${definition}`);
    if (validate(value)) return [];
    const problems = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
    return [`${this.revision} ${definition}: ${[...new Set(problems)].slice(0, 6).join('; ')}`];
  }
}

/**
 * Jest gives each test file modules of its own. What is loaded past it is loaded, and compiled, once in a worker; and only where something is
 * checked, since most test files send no message at all.
 */
function compilerOf(revision: string, file: string): Ajv {
  const { createRequire } = runInThisContext(`process.getBuiltinModule('node:module')`) as typeof import('node:module');
  const load = createRequire(__filename);
  const shared = load('ajv') as { [COMPILERS]?: Map<string, Ajv> };
  const compilers = (shared[COMPILERS] ??= new Map());
  const known = compilers.get(revision);
  if (known !== undefined) return known;
  const schema = load(file) as AnySchemaObject;
  const { default: Compiler } = load(is2020(schema) ? 'ajv/dist/2020' : 'ajv') as { default: typeof Ajv };
  const ajv = new Compiler({ strict: false, validateSchema: false });
  // As text: a regular expression of this file's realm is none to the compiler's.
  ajv.addFormat('uri', '^[A-Za-z][A-Za-z0-9+.-]*:\\S*$');
  ajv.addFormat('uri-template', '^\\S*$');
  ajv.addFormat('byte', '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$');
  ajv.addSchema(schema, revision);
  compilers.set(revision, ajv);
  return ajv;
}

function is2020(schema: AnySchemaObject): boolean {
  return String(schema['$schema']).includes('2020-12');
}
