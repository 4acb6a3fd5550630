import type { JsonSchema, RawJsonSchema } from '../contracts/schema-source';
import { isPlainObject } from './json';
import { findSchemaFaults } from './schema-faults';
import type { SchemaReport } from './schema-place';

/** Checks a raw JSON Schema and returns it as it is; what is wrong with it goes to the report. */
export function convertRaw({ schema }: RawJsonSchema, report: SchemaReport): JsonSchema {
  const faults = findSchemaFaults(schema);
  for (const fault of faults) {
    report.add('MCP_SCHEMA_INVALID', `${fault}.`, {
      fix: 'Change the schema. Put shared parts under "$defs" and refer to them with "#/$defs/…".',
    });
  }
  if (faults.length === 0 && isPlainObject(schema) && schema.type !== 'object') {
    report.add('MCP_SCHEMA_INVALID', 'The root of the schema is not an object.', { fix: 'Add `type: "object"` at the root.' });
  }
  return schema;
}
