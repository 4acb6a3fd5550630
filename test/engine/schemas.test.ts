import { IsInt, IsString, Max } from 'class-validator';
import { z } from 'zod';
import { Engine, EngineModule, jsonSchema, type EngineContext, type SchemaSource } from 'perch-mcp';
import { closeApps, createApp, everyDoor } from '../support/app';
import { textOf } from '../support/every-client';

afterEach(closeApps);

class Pages {
  @IsString() title!: string;
  @IsInt() @Max(9) count = 1;
}

const RAW = {
  type: 'object',
  properties: { title: { type: 'string' }, count: { type: 'integer', maximum: 9, default: 1 } },
  required: ['title'],
};

const INPUTS: readonly (readonly [string, SchemaSource, unknown])[] = [
  ['a class', Pages, { title: 'a', count: 1 }],
  ['zod', z.strictObject({ title: z.string(), count: z.int().max(9).default(1) }), { title: 'a', count: 1 }],
  ['a raw schema', jsonSchema(RAW), { title: 'a' }],
];

test.each(INPUTS)('an input as %s is published, checked first, and arrives as it says', async (_what, input, arrived) => {
  const seen: unknown[] = [];
  class Reads {
    readonly id = 'reads';
    execute({ request }: EngineContext): string {
      seen.push(request.input);
      return 'read';
    }
  }
  Engine({ input })(Reads);
  for (const door of await everyDoor(await createApp([Reads], {}, [EngineModule.forRoot()]))) {
    seen.length = 0;
    const { result } = await door.ask('tools/list');
    const [tool] = result?.['tools'] as { inputSchema: Record<string, unknown> }[];
    expect(tool?.inputSchema).toMatchObject({ type: 'object', properties: { title: { type: 'string' } }, required: ['title'] });
    for (const bad of [{}, { title: 1 }, { title: 'a', count: 10 }]) {
      const { result: refused } = await door.ask('tools/call', { name: 'reads', arguments: bad });
      expect(refused).toMatchObject({ isError: true });
    }
    expect(seen).toEqual([]);
    expect(textOf((await door.ask('tools/call', { name: 'reads', arguments: { title: 'a' } })).result)).toBe('"read"');
    expect(seen).toEqual([arrived]);
    expect(seen[0] instanceof Pages).toBe(input === Pages);
  }
});

const OUTPUTS: readonly (readonly [string, SchemaSource])[] = [
  ['a class', Pages],
  ['zod', z.object({ title: z.string(), count: z.int().max(9) })],
  ['a raw schema', jsonSchema({ ...RAW, required: ['title', 'count'] })],
];

test.each(OUTPUTS)('an output as %s is published and checked, and what breaks it is never shown', async (_what, output) => {
  class Writes {
    readonly id = 'writes';
    execute({ request }: EngineContext<{ value: unknown }>): unknown {
      return request.input.value;
    }
  }
  Engine({ output })(Writes);
  for (const door of await everyDoor(await createApp([Writes], {}, [EngineModule.forRoot()]))) {
    const { result } = await door.ask('tools/list');
    expect((result?.['tools'] as object[])[0]).toMatchObject({
      outputSchema: { type: 'object', properties: { title: { type: 'string' } } },
    });
    const call = async (value: unknown) => (await door.ask('tools/call', { name: 'writes', arguments: { value } })).result;
    const fine = { title: 'a', count: 2 };
    expect(await call(fine)).toMatchObject({ content: [{ type: 'text', text: JSON.stringify(fine) }], structuredContent: fine });
    for (const bad of [{ title: 'SECRET', count: 10 }, { count: 1 }, 'SECRET', null, undefined, ['SECRET']]) {
      const refused = await call(bad);
      expect(refused).toMatchObject({ isError: true });
      expect(textOf(refused)).toMatch(/^Internal error \(ref [0-9a-f]{8}\)$/);
      expect(refused).not.toHaveProperty('structuredContent');
    }
  }
});

test('without an input any JSON object is accepted, and only an object', async () => {
  const seen: unknown[] = [];
  const reads = { id: 'reads', execute: ({ request }: EngineContext) => void seen.push(request.input) };
  const wide = JSON.parse('{"a":1,"":{"deep":[[[{}]]]},"constructor":"c","toString":null,"ünï":"\\ud83d"}') as object;
  for (const door of await everyDoor(await createApp([], {}, [EngineModule.forRoot({ engines: [reads] })]))) {
    seen.length = 0;
    const { result } = await door.ask('tools/list');
    expect((result?.['tools'] as object[])[0]).toMatchObject({ inputSchema: { type: 'object', additionalProperties: true } });
    await door.ask('tools/call', { name: 'reads', arguments: wide });
    await door.ask('tools/call', { name: 'reads', arguments: {} });
    await door.ask('tools/call', { name: 'reads' });
    expect(seen).toEqual([wide, {}, {}]);
    expect(await door.ask('tools/call', { name: 'reads', arguments: [1] as never })).toMatchObject({ error: { code: -32602 } });
    expect(seen).toHaveLength(3);
  }
});

test('an engine that changes its input changes nobody else’s', async () => {
  const spoils = {
    id: 'spoils',
    execute: ({ request }: EngineContext<{ list: number[] }>) => (request.input.list.push(0), request.input.list),
  };
  const app = await createApp([], {}, [EngineModule.forRoot({ engines: [spoils] })]);
  for (const door of await everyDoor(app)) {
    for (let count = 0; count < 2; count += 1) {
      const { result } = await door.ask('tools/call', { name: 'spoils', arguments: { list: [1] } });
      expect(textOf(result)).toBe('[1,0]');
    }
  }
});

test('an input or output that cannot be used stops the boot and names the engine', async () => {
  class Bare {
    title!: string;
  }
  class BareEngine {
    readonly id = 'bare';
    execute(): void {}
  }
  Engine({ input: Bare, output: Bare })(BareEngine);
  await expect(createApp([BareEngine], {}, [EngineModule.forRoot()])).rejects.toThrow(
    /MCP_SCHEMA_UNSUPPORTED[^]*BareEngine[^]*MCP_SCHEMA_UNSUPPORTED/,
  );
});
