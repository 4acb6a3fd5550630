import type { McpEndpoint } from '../../protocol/mcp-endpoint';
import type { PerchServer } from '../../protocol/perch-server';
import { acceptsAnswer } from './accept';
import { refuse } from './answers';
import type { CallSlots } from './call-slots';
import type { Exchange } from './sessions';
import { SessionTransport } from './session-transport';

// Specification 2025-11-25, Protocol Version Header: what a client that names no revision speaks.
const ASSUMED_REVISION = '2025-03-26';

/** The legacy era without sessions: each request is answered alone, by a server of its own, and nothing leads back to its client. */
export class Stateless {
  readonly #open = new Set<PerchServer>();

  constructor(
    private readonly endpoint: McpEndpoint,
    private readonly slots: CallSlots,
  ) {}

  async serve({ request, response, message }: Required<Omit<Exchange, 'batch'>>): Promise<void> {
    if (!acceptsAnswer(request)) return refuse(response, 406, 'Not acceptable: accept application/json and text/event-stream');
    const revision = request.headers['mcp-protocol-version'];
    const server = this.endpoint.createServer({
      era: 'legacy',
      transport: 'http',
      isLongLived: false,
      isStateless: true,
      protocolVersion: typeof revision === 'string' ? revision : ASSUMED_REVISION,
    });
    const transport = new SessionTransport({ sessionIdGenerator: undefined, slots: this.slots });
    this.#open.add(server);
    try {
      await server.connect(transport);
      transport.received(message);
      transport.follow(response, message);
      await transport.handleRequest(request, response, message.message);
      // A client that has gone has not cancelled its call (specification 2025-11-25: Sending Messages to the Server).
      await transport.whenAnswered();
    } finally {
      this.#open.delete(server);
      await server.close();
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open].map((server) => server.close()));
  }
}
