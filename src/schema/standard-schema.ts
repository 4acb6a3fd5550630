import { isPlainObject } from './json';
import type { JsonSchema, StandardIssue, StandardSchema } from '../contracts/schema-source';
import { boundProblems, cleanText, pathText, type Path } from './problem-text';
import { findSchemaFaults } from './schema-faults';
import type { Role } from './class-facts';
import type { SchemaReport } from './schema-place';

/** Asks a Standard Schema for its JSON Schema; what is wrong with it goes to the report. */
export function convertStandard(source: StandardSchema, role: Role, report: SchemaReport): JsonSchema | undefined {
  const { vendor, jsonSchema } = source['~standard'];
  if (typeof jsonSchema?.[role] !== 'function') {
    const fix = 'zod: use 4.2 or newer.\nvalibot: wrap it in toStandardJsonSchema() of @valibot/to-json-schema.';
    report.add('MCP_SCHEMA_INVALID', `The ${vendor} schema cannot describe itself as JSON Schema.`, { fix });
    return undefined;
  }
  let converted: Record<string, unknown>;
  try {
    converted = jsonSchema[role]({ target: 'draft-2020-12' });
  } catch (cause) {
    const fix = 'Use only types that JSON has, for instance a text with a format instead of a date.';
    report.add('MCP_SCHEMA_INVALID', `The ${vendor} schema has no JSON Schema: ${(cause as Error).message}`, { fix, cause });
    return undefined;
  }
  // 2020-12 is what MCP assumes, and naming it costs every model tokens.
  const { $schema: _dialect, ...schema } = converted;
  const faults = findSchemaFaults(schema);
  for (const fault of faults) report.add('MCP_SCHEMA_INVALID', `The ${vendor} schema: ${fault}.`, { fix: 'Change the schema.' });
  if (faults.length > 0) return undefined;
  if (!describesObject(schema, schema, 0)) {
    const fix = 'Make the root an object, or a union of objects.';
    report.add('MCP_SCHEMA_INVALID', `The root of the ${vendor} schema is not an object.`, { fix });
    return undefined;
  }
  return { type: 'object', ...schema };
}

function describesObject(schema: unknown, root: JsonSchema, depth: number): boolean {
  if (!isPlainObject(schema) || depth > 20) return false;
  if (schema.type !== undefined) return schema.type === 'object';
  const each = (part: unknown): boolean => describesObject(part, root, depth + 1);
  if (typeof schema.$ref === 'string') return each(follow(schema.$ref, root));
  if (Array.isArray(schema.allOf) && schema.allOf.some(each)) return true;
  const union = schema.anyOf ?? schema.oneOf;
  return Array.isArray(union) && union.length > 0 && union.every(each);
}

function follow(reference: string, root: JsonSchema): unknown {
  let node: unknown = root;
  for (const part of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node = isPlainObject(node) ? node[key] : undefined;
  }
  return node;
}

/** The issues of a Standard Schema as at most ten texts: where, and what its author's library says. */
export function issueTexts(issues: readonly StandardIssue[], root: string): readonly string[] {
  return boundProblems(textsOf(issues, root));
}

function* textsOf(issues: readonly StandardIssue[], root: string): Generator<string> {
  for (const { message, path = [] } of issues) {
    const where = path.length === 0 ? root : pathText(segmentsOf(path));
    // arktype names the path itself, and ends with what it was given.
    const what = message.replace(/ \(was [^]*\)$/, '');
    yield cleanText(what.startsWith(`${where} `) ? what : `${where}: ${what}`);
  }
}

function segmentsOf(path: NonNullable<StandardIssue['path']>): Path {
  return path.map((each) => {
    const key = typeof each === 'object' ? each.key : each;
    return typeof key === 'number' ? key : String(key);
  });
}
