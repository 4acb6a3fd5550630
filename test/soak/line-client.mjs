const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'soak', version: '1.0.0' },
};

export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1.0.0' },
};

/** One JSON-RPC message a line, over a pair of streams or a socket. Knows nothing of MCP but how it is opened. */
export class LineClient {
  #output;
  #rest = '';
  #waiting = new Map();
  #id = 0;
  /** Lines that answer nothing that was asked, in their order. */
  strays = [];
  /** Takes the lines instead, if it is set. */
  onLine;

  constructor(input, output) {
    this.#output = output;
    this.input = input;
    output.on('error', () => undefined);
    input.on('error', () => undefined);
    input.setEncoding('utf8').on('data', (text) => this.#read(text));
    this.closed = new Promise((resolve) => input.once('close', resolve));
    void this.closed.then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the connection ended without the answer'));
    });
  }

  /** Begins in the legacy era. */
  async initialize() {
    const answer = await this.ask('initialize', INITIALIZE);
    this.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    return answer;
  }

  write(bytes) {
    this.#output.write(bytes);
  }

  /** Sends one request; rejects when the connection ends before its answer. */
  ask(method, params, id = `c${String((this.#id += 1))}`) {
    const answered = new Promise((resolve, reject) => this.#waiting.set(JSON.stringify(id), { resolve, reject }));
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answered;
  }

  modern(method, params = {}, id) {
    return this.ask(method, { ...params, _meta: ENVELOPE }, id);
  }

  end() {
    this.#output.end();
  }

  /** Goes away without a word. */
  drop() {
    this.input.destroy();
    this.#output.destroy();
  }

  #read(text) {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) this.#take(line);
  }

  #take(line) {
    if (this.onLine?.(line) === true) return;
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return void this.strays.push(line);
    }
    const key = JSON.stringify(message.id);
    const waiting = message.method === undefined ? this.#waiting.get(key) : undefined;
    if (waiting === undefined) return void this.strays.push(line);
    this.#waiting.delete(key);
    waiting.resolve(message);
  }
}
