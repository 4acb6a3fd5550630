import type { SchemaProblems, SchemaReport } from './schema-place';

/** The problem of a value that is no source of a schema, mostly `undefined` from an import cycle. */
export function notASchema(report: SchemaReport): SchemaProblems {
  const fix =
    'Give a class, a Standard Schema, or jsonSchema({...}). If it is an object of zod schemas, wrap it: z.object({ … }).\nIf it is undefined here, break the import cycle.';
  report.add('MCP_SCHEMA_INVALID', 'The value is neither a class nor a schema.', { fix });
  return report.result as SchemaProblems;
}
