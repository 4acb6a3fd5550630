import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { McpFactory, type McpApplication } from 'perch-mcp';
import { AppModule } from '../../samples/01-hello/app.module';
import { everyDoor, type Door } from '../support/app';

const SPECIFICATION = process.env['PERCH_SPEC_DIR'] ?? join(__dirname, '../../../shared/data');
const GOLDEN = join(__dirname, '../golden/hello-tools.json');

let app: McpApplication;
let doors: readonly Door[];

beforeAll(async () => {
  app = await McpFactory.create(AppModule, { name: 'hello', version: '1.0.0', logger: false });
  doors = await everyDoor(app);
});

afterAll(() => app.close());

test('tools/list of the sample is what the golden file says, in both eras', async () => {
  const golden = JSON.parse(readFileSync(GOLDEN, 'utf8')) as unknown;
  for (const door of doors) expect((await door.ask('tools/list')).result?.['tools']).toEqual(golden);
});

test('every property of every published schema is described', async () => {
  const tools = (await doors[0]?.ask('tools/list'))?.result?.['tools'] as readonly { inputSchema: object }[];
  for (const { inputSchema } of tools) {
    for (const schema of objectsIn(inputSchema)) {
      for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, { description?: string }>)) {
        expect([name, typeof property.description]).toEqual([name, 'string']);
      }
    }
  }
});

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(objectsIn)];
}

const REVISIONS = [
  ['2025-11-25', 'HTTP 2025-11-25'],
  ['2026-07-28', 'HTTP 2026-07-28'],
] as const;

describe('against the official JSON Schema of each revision', () => {
  const hasSchemas = existsSync(SPECIFICATION);
  if (!hasSchemas) process.stderr.write(`left out: no official schemas in PERCH_SPEC_DIR (${SPECIFICATION})\n`);

  test('the official schemas are there where they are required', () => {
    expect(hasSchemas || process.env['PERCH_REQUIRE_SPEC'] !== '1').toBe(true);
  });

  (hasSchemas ? test.each(REVISIONS) : test.skip.each(REVISIONS))('tools/list is valid at %s', async (revision, doorName) => {
    const schema = JSON.parse(readFileSync(join(SPECIFICATION, `mcp-schema-${revision}.json`), 'utf8')) as object;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(schema, 'mcp');
    const validate = ajv.getSchema('mcp#/$defs/ListToolsResult');
    const answer = await doors.find(({ name }) => name === doorName)?.ask('tools/list');
    expect(validate?.(answer?.result)).toBe(true);
    expect(validate?.({ ...answer?.result, tools: [{ name: 'no schema' }] })).toBe(false);
  });
});
