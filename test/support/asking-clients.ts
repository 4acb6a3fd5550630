import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { AnyClient, Place } from './clients';

/** What a form asks of the person. */
export interface Form {
  readonly message: string;
  readonly requestedSchema?: unknown;
}

/** How the person, the model and the program at a client answer. A client declares that it can be asked what it has an answer for. */
export interface Answers {
  readonly person?: (form: Form) => unknown;
  readonly model?: () => unknown;
  readonly roots?: () => unknown;
}

/** Connects a client that answers. */
export type Connect = (place: Place, answers: Answers) => Promise<AnyClient>;

/** The clients of the field, as in `clients.ts`, that can be asked back. */
export const ASKING_CLIENTS: readonly (readonly [string, Connect])[] = [
  ['the 1.x client', connect1],
  ['the 2.x client, legacy', (place, answers) => connect2(place, answers, 'legacy')],
  ['the 2.x client, modern', (place, answers) => connect2(place, answers, { pin: '2026-07-28' })],
];

const INFO = { name: 'asked', version: '1.0.0' };

function capabilitiesOf({ person, model, roots }: Answers): Record<string, object> {
  return { ...(person && { elicitation: {} }), ...(model && { sampling: {} }), ...(roots && { roots: {} }) };
}

// The answers are as wrong as a test wants them to be, which no type of the SDKs allows.
async function connect1(place: Place, answers: Answers): Promise<AnyClient> {
  const { person, model, roots } = answers;
  const client = new Client1(INFO, { capabilities: capabilitiesOf(answers) });
  if (person) client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params) as never);
  if (model) client.setRequestHandler(CreateMessageRequestSchema, () => model() as never);
  if (roots) client.setRequestHandler(ListRootsRequestSchema, () => roots() as never);
  await client.connect('url' in place ? new Http1(new URL(place.url)) : new Stdio1({ ...program(place), stderr: 'ignore' }));
  return client as unknown as AnyClient;
}

async function connect2(place: Place, answers: Answers, mode: 'legacy' | { pin: string }): Promise<AnyClient> {
  const { person, model, roots } = answers;
  const client = new Client2(INFO, { capabilities: capabilitiesOf(answers), versionNegotiation: { mode } });
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params as Form) as never);
  if (model) client.setRequestHandler('sampling/createMessage', () => model() as never);
  if (roots) client.setRequestHandler('roots/list', () => roots() as never);
  await client.connect('url' in place ? new Http2(new URL(place.url)) : new Stdio2({ ...program(place), stderr: 'ignore' }));
  return client;
}

function program({ command, args }: Exclude<Place, { readonly url: string }>): { command: string; args: string[] } {
  return { command, args: [...args] };
}
