import { z } from 'zod';
import { IsInt, IsString } from 'class-validator';
import { defineTool, jsonSchema, type McpContext, type ToolDefinition, type ToolResult } from 'perch-mcp';

// Each `@ts-expect-error` is an assertion: the file does not compile, and the test fails, when the line below it is accepted.

class Input {
  @IsString() name!: string;
  @IsInt() times = 1;
}

class Output {
  @IsString() text!: string;
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_same: Same<A, B>): void => undefined;

const tool = { name: 't', description: 'd' } as const;

const fitting: readonly ToolDefinition[] = [
  defineTool({
    ...tool,
    inputSchema: Input,
    handler: (args, ctx) => {
      same<typeof args, Input>(true);
      same<typeof ctx, McpContext>(true);
      return args.name.repeat(args.times);
    },
  }),
  defineTool({
    ...tool,
    inputSchema: z.object({ count: z.number().default(1) }),
    handler: async (args) => {
      same<typeof args, { count: number }>(true);
      return args.count;
    },
  }),
  defineTool({
    ...tool,
    inputSchema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    handler: (args) => {
      same<typeof args, Record<string, unknown>>(true);
      return args['count'];
    },
  }),
  // A JSON Schema says nothing to the compiler, so the author may.
  defineTool({ ...tool, inputSchema: { type: 'object' }, handler: (args: { count: number }) => args.count }),
  defineTool({ ...tool, inputSchema: jsonSchema<{ count: number }>({ type: 'object' }), handler: ({ count }) => count.toFixed() }),
  defineTool({ ...tool, handler: () => 1 }),
  defineTool({ ...tool, outputSchema: Output, handler: () => ({ text: '' }) }),
  defineTool({ ...tool, outputSchema: z.object({ count: z.number() }), handler: async () => ({ count: 1 }) }),
  defineTool({ ...tool, outputSchema: { type: 'object' }, handler: () => ({ any: 'thing' }) }),
  defineTool({ ...tool, outputSchema: Output, handler: (): ToolResult => ({ content: [] }) }),
];

const refused: readonly (() => ToolDefinition)[] = [
  // @ts-expect-error -- a model chooses a tool by its description
  () => defineTool({ name: 't', handler: () => 1 }),
  // @ts-expect-error -- the input is another type
  () => defineTool({ ...tool, inputSchema: Input, handler: (args: { name: number }) => args.name }),
  // @ts-expect-error -- zod says count is a number
  () => defineTool({ ...tool, inputSchema: z.object({ count: z.number() }), handler: (args: { count: string }) => args.count }),
  // @ts-expect-error -- a tool without a schema has no argument to read
  () => defineTool({ ...tool, handler: (args: { name: string }) => args.name }),
  // @ts-expect-error -- the result is not the declared output
  () => defineTool({ ...tool, outputSchema: Output, handler: () => ({ text: 1 }) }),
  // @ts-expect-error -- the result is not the declared output, awaited either
  () => defineTool({ ...tool, outputSchema: z.object({ count: z.number() }), handler: async () => ({ count: '1' }) }),
];

test('the compiler infers the arguments of a function tool from a DTO class and from a Standard Schema, and refuses what does not fit', () => {
  expect(fitting.every(({ name }) => name === 't')).toBe(true);
  expect(refused.map((make) => make().name)).toEqual(refused.map(() => 't'));
});

test('a handler that is none is refused at once, with the tool', () => {
  // @ts-expect-error -- plain JavaScript can pass anything
  expect(() => defineTool({ ...tool, handler: 'run' })).toThrow(/^defineTool\(\{ name: "t" \}\) has no handler/);
});
