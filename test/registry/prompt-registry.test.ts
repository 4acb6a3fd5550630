import { DuplicateRegistrationError, PromptNotFoundError, PromptRegistry } from 'perch-mcp';

const review = { name: 'review', get: ({ language = 'this' }: { language?: string }) => `Review ${language}` };

test('parity A1: prompts are registered, found, listed and unregistered by name', () => {
  const prompts = new PromptRegistry();
  expect([prompts.has('review'), prompts.get('review'), prompts.list()]).toEqual([false, undefined, []]);
  const entry = prompts.register(review);
  expect([prompts.has('review'), prompts.get('review'), prompts.list()]).toEqual([true, entry, [entry]]);
  expect([prompts.unregister('review'), prompts.unregister('review'), prompts.has('review')]).toEqual([true, false, false]);
});

test('parity A2: a registry of its own calls the prompt directly', async () => {
  const prompts = new PromptRegistry();
  prompts.register(review);
  expect([await prompts.getMessages('review'), await prompts.getMessages('review', { language: 'Go' })]).toEqual([
    'Review this',
    'Review Go',
  ]);
});

test('parity A3: a second registration throws DuplicateRegistrationError', () => {
  const prompts = new PromptRegistry();
  prompts.register(review);
  expect(() => prompts.register({ ...review })).toThrow(new DuplicateRegistrationError('Prompt', 'review'));
  expect(() => prompts.register({ ...review })).toThrow('Prompt already registered: "review"');
});

test('parity A4: an unknown name rejects with PromptNotFoundError, a -32602', async () => {
  const getting = new PromptRegistry().getMessages('nothing');
  await expect(getting).rejects.toBeInstanceOf(PromptNotFoundError);
  await expect(getting).rejects.toMatchObject({ code: -32602, message: 'Unknown prompt: "nothing"' });
});

test.each(['', ' ', undefined, 5])('a prompt named %j is refused', (name) => {
  expect(() => new PromptRegistry().register({ ...review, name: name as string })).toThrow(
    expect.objectContaining({ code: 'MCP_PROMPT_NAME' }),
  );
});
