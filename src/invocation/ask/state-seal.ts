import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** What travels through the client between two rounds of one call. */
export interface FlowState {
  readonly flow: string;
  /** How many rounds the client has been sent back with. */
  readonly round: number;
  /** Answers that were read, by key, as the client sent them. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Results of `once`, by key. */
  readonly effects: Readonly<Record<string, unknown>>;
}

/** What a state belongs to; it opens for nothing else. */
export interface StateBinding {
  readonly method: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly principal: string | undefined;
}

const VERSION = 'p1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and authenticates state (AES-256-GCM), so that the client that carries it can neither read nor change it. */
export class StateSeal {
  #derived: Buffer | undefined;

  /** @param secret at least 32 bytes that every process of one service shares; without it, a key of this process alone */
  constructor(
    private readonly secret: string | undefined,
    private readonly lifetimeMs: number,
  ) {}

  /** Made for the first question; most applications ask none. */
  get #key(): Buffer {
    if (this.#derived !== undefined) return this.#derived;
    const material = this.secret === undefined ? randomBytes(32) : Buffer.from(this.secret);
    this.#derived = Buffer.from(hkdfSync('sha256', material, Buffer.alloc(0), 'perch-mcp flow state', 32));
    return this.#derived;
  }

  seal(state: FlowState, binding: StateBinding): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(digestOf(binding));
    const text = JSON.stringify({ ...state, expires: Date.now() + this.lifetimeMs });
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return VERSION + sealed.toString('base64url');
  }

  /** The state, or undefined for one that was changed, has expired, belongs to something else, or was sealed with another key. */
  open(sealed: string, binding: StateBinding): FlowState | undefined {
    if (!sealed.startsWith(VERSION)) return undefined;
    const text = sealed.slice(VERSION.length);
    const bytes = Buffer.from(text, 'base64url');
    // Node reads past padding, foreign characters and left-over bits, so that several texts would be one state.
    if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(digestOf(binding)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const opened = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
      const { expires, ...state } = JSON.parse(opened) as FlowState & { expires: number };
      return expires > Date.now() ? state : undefined;
    } catch {
      return undefined;
    }
  }
}

function digestOf({ method, name, arguments: raw, principal }: StateBinding): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, name, canonical(raw), principal ?? null]))
    .digest();
}

/** The same value has the same text, in whatever order a client repeats its members. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, each]) => [key, canonical(each)]);
}
