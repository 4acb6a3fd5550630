import { audio, embedded, image, Injectable, link, McpTool, text, type ToolResult } from 'perch-mcp';
import { closeApps, createApp, everyDoor } from '../support/app';

afterEach(closeApps);

const BYTES = new Uint8Array([0, 1, 2, 255]).subarray(1);

test('bytes become base64, and a string is taken to be base64 already', () => {
  expect(image(BYTES, 'image/png')).toEqual({ type: 'image', data: 'AQL/', mimeType: 'image/png' });
  expect(audio('AQL/', 'audio/wav')).toEqual({ type: 'audio', data: 'AQL/', mimeType: 'audio/wav' });
});

test('annotations and _meta stand on every kind of block', () => {
  const options = { annotations: { audience: ['user'], priority: 0.5 }, _meta: { 'x.example/a': 1 } } as const;
  const blocks = [
    text('x', options),
    image(BYTES, 'image/png', options),
    audio(BYTES, 'audio/wav', options),
    embedded({ uri: 'x://1', text: 'one' }, options),
    link({ uri: 'x://1', name: 'one' }, options),
  ];
  for (const block of blocks) expect(block).toMatchObject(options);
});

@Injectable()
class Blocks {
  @McpTool({ name: 'blocks', description: 'd' })
  blocks(): ToolResult {
    return {
      content: [
        text('x'),
        image(BYTES, 'image/png'),
        audio(BYTES, 'audio/wav'),
        embedded({ uri: 'x://1', mimeType: 'text/plain', text: 'one' }),
        link({ uri: 'x://1', name: 'one', size: 3 }),
      ],
    };
  }
}

test('a tool answers with every kind of block on every transport [tools.content]', async () => {
  for (const door of await everyDoor(await createApp([Blocks]))) {
    expect([door.name, (await door.ask('tools/call', { name: 'blocks' })).result?.['content']]).toEqual([
      door.name,
      [
        { type: 'text', text: 'x' },
        { type: 'image', data: 'AQL/', mimeType: 'image/png' },
        { type: 'audio', data: 'AQL/', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'x://1', mimeType: 'text/plain', text: 'one' } },
        { type: 'resource_link', uri: 'x://1', name: 'one', size: 3 },
      ],
    ]);
  }
});
