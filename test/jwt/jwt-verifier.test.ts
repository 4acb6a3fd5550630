import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { McpSetupError, TokenVerifier } from 'perch-mcp';
import { JwtVerifier, type JwtVerifierOptions } from 'perch-mcp/jwt';
import { repository, runNode } from '../support/scratch-project';

// jose is for `import` only, which jest's own module loader cannot do: one process asks everything, and the tests look at what it was told.
let said: Readonly<Record<string, unknown>> = {};
beforeAll(() => {
  said = JSON.parse(runNode([path.join(__dirname, 'tokens.mjs')])) as typeof said;
});

const ADA = { id: 'ada', scopes: ['read', 'write'] };

test.each<[string, object]>([
  ['RS256', ADA],
  ['RS256 by hand', { id: 'ada', scopes: [] }],
  ['ES256', ADA],
  ['Ed25519', ADA],
  ['an audience among several', ADA],
  ['one of several names of the server', ADA],
  ['scopes as a list', ADA],
  ['no scopes', { id: 'ada', scopes: [] }],
  ['other claims', { id: 'c1', scopes: ['x'], roles: ['g'] }],
  ['roles as words', { ...ADA, roles: ['admin', 'clerk'] }],
  ['a key without an id among several', ADA],
  ['HS256 by the secret', ADA],
  ['the typ that is asked for', ADA],
  ['the typ in its long form', ADA],
  ['expired within the tolerance', ADA],
  ['nbf within the tolerance', ADA],
])('a token with %s is accepted, and says whose it is', (name, principal) => {
  expect(said[name]).toEqual(principal);
});

const claim = (name: string): string => `ERR_JWT_CLAIM_VALIDATION_FAILED ${name}`;
const ALGORITHM = 'ERR_JOSE_ALG_NOT_ALLOWED';
const SIGNATURE = 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED';
const KEY = 'ERR_JWKS_NO_MATCHING_KEY';
const FORM = 'ERR_JWS_INVALID';
const CLAIMS = 'its claims do not say whose it is';

test.each<[string, string]>([
  ['another audience', claim('aud')],
  ['no audience', claim('aud')],
  ['an audience that only begins alike', claim('aud')],
  ['another issuer', claim('iss')],
  ['the issuer with a slash', claim('iss')],
  ['no issuer', claim('iss')],
  ['expired', 'ERR_JWT_EXPIRED exp'],
  ['no exp', claim('exp')],
  ['an exp that is text', claim('exp')],
  ['nbf in the future', claim('nbf')],
  ['no sub', claim('sub')],
  ['an empty sub', CLAIMS],
  ['scopes that are a number', CLAIMS],
  ['roles that are an object', CLAIMS],
  ['alg none', ALGORITHM],
  ['alg None', ALGORITHM],
  ['an empty signature', SIGNATURE],
  ['an algorithm that is not in the list', ALGORITHM],
  ['another typ', claim('typ')],
  ['no typ', claim('typ')],
  ['a critical extension', 'ERR_JOSE_NOT_SUPPORTED'],
  ["a stranger's key under the same id", SIGNATURE],
  ['a key in the header', SIGNATURE],
  ['a key behind an address in the header', SIGNATURE],
  ['HS256 by the public key as PEM', ALGORITHM],
  ['HS256 by the public key as JWK', ALGORITHM],
  ['HS256 by a secret, where keys are public', ALGORITHM],
  ['RS256 where there is a secret', ALGORITHM],
  ['a payload that was changed', SIGNATURE],
  ['a header that was changed', SIGNATURE],
  ['the kid "../../../../etc/passwd"', KEY],
  [`the kid "rsa' OR '1'='1"`, KEY],
  ['the kid "__proto__"', KEY],
  ['the kid "http://127.0.0.1:1/"', KEY],
  ['the kid ""', KEY],
  ['the kid "rsa\\u0000"', KEY],
  ['the kid 5', KEY],
  ['the kid null', KEY],
  ['no token at all: ', FORM],
  ['no token at all: .', FORM],
  ['no token at all: ..', FORM],
  ['no token at all: a.b.c', FORM],
  ['no token at all: a.b.c.d.e', FORM],
  ['no token at all: eyJhbGciO', FORM],
  ['no token at all: W10.W10.x', FORM],
  ['no token at all: xxxxxxxxx', FORM],
])('a token with %s is refused, for that reason', (name, reason) => {
  expect(said[name]).toBe(`refused: ${reason}`);
});

test('keys are fetched once for many tokens, and a key that nobody knows fetches nothing again within the cooldown', () => {
  expect(said['keys are fetched once']).toEqual({ value: [JSON.stringify(ADA)], asked: 1 });
  expect(said['an unknown kid fetches nothing while it is cool']).toEqual({ value: [`"refused: ${KEY}"`], asked: 0 });
});

test('a new key is found when a token names it, and a key that was taken back is good no more', () => {
  expect(said['rotation']).toEqual({ before: ADA, after: ADA, old: `refused: ${KEY}` });
});

test.each(['an error of the server', 'a redirect', 'too much', 'a page', 'no set', 'silence'])(
  'keys that cannot be had because of %s let nobody in, and are asked for once in a while only',
  (name) => {
    expect(said[`keys: ${name}`]).toEqual({ value: ['"threw KeysUnavailable"'], asked: 1 });
  },
);

test('keys that cannot be had are told of, and tokens are good again once they can be', () => {
  expect(said['recovery']).toEqual({ down: 'threw KeysUnavailable', up: ADA });
  expect(said['nobody listens']).toBe('threw KeysUnavailable');
  expect(said['warning']).toEqual({
    code: 'JWKS_NOT_FETCHED',
    message: expect.stringMatching(/^The keys at http:\/\/\S+ cannot be fetched: \w+$/),
  });
});

test('over HTTP a token is answered 401 while there are no keys, and its owner is the principal once there are', () => {
  expect(said['over HTTP']).toEqual({ down: 401, up: { ...ADA, iss: 'https://issuer.example' }, foreign: 401 });
});

test('no token and no secret stands in what is thrown or logged', () => {
  expect(said['said']).toEqual({ tokens: 0, secret: false });
});

const PUBLIC = { kty: 'OKP', crv: 'Ed25519', x: 'AA' };
const GOOD: JwtVerifierOptions = { issuer: 'https://issuer.example', audience: 'mcp', jwksUrl: 'https://issuer.example/keys' };
const SECRET = 's'.repeat(31);

test.each<[string, Partial<Record<keyof JwtVerifierOptions, unknown>>]>([
  ['"issuer"', { issuer: undefined }],
  ['"issuer"', { issuer: ' ' }],
  ['"audience"', { audience: undefined }],
  ['"audience"', { audience: [] }],
  ['"audience"', { audience: ['mcp', ''] }],
  ['and none is', { jwksUrl: undefined }],
  ['"jwksUrl" and "keys" is', { keys: [PUBLIC] }],
  ['"jwksUrl"', { jwksUrl: 'http://issuer.example/keys' }],
  ['"jwksUrl"', { jwksUrl: 'http://127.0.0.1.evil.example/keys' }],
  ['"jwksUrl"', { jwksUrl: 'https://user:word@issuer.example/keys' }],
  ['"jwksUrl"', { jwksUrl: 'file:///etc/keys' }],
  ['"jwksUrl"', { jwksUrl: '/keys' }],
  ['"keys"', { jwksUrl: undefined, keys: [] }],
  ['"keys"', { jwksUrl: undefined, keys: [{ ...PUBLIC, d: 'AA' }] }],
  ['"keys"', { jwksUrl: undefined, keys: [{ kty: 'oct', k: 'AA' }] }],
  ['"secret" must have at least 32', { jwksUrl: undefined, secret: SECRET }],
  ['"secret" must have at least 64', { jwksUrl: undefined, secret: 's'.repeat(32), algorithms: ['HS256', 'HS512'] }],
  ['"algorithms"', { algorithms: [] }],
  ['"algorithms"', { algorithms: ['none'] }],
  ['"algorithms"', { algorithms: ['RS256', 'HS256'] }],
  ['"algorithms"', { jwksUrl: undefined, secret: 's'.repeat(64), algorithms: ['RS256'] }],
  ['"clockToleranceS"', { clockToleranceS: 301 }],
  ['"clockToleranceS"', { clockToleranceS: Number.NaN }],
  ['"jwksCooldownMs"', { jwksCooldownMs: -1 }],
  ['"typ"', { typ: '' }],
])('options that would let in too many or nobody are refused: %s (%#)', (text, changed) => {
  const make = (): unknown => new JwtVerifier({ ...GOOD, ...changed } as JwtVerifierOptions);
  expect(make).toThrow(McpSetupError);
  expect(make).toThrow(text);
  expect(make).not.toThrow(SECRET);
});

test('a verifier is a TokenVerifier, also with keys on a loopback address', () => {
  expect(new JwtVerifier(GOOD)).toBeInstanceOf(TokenVerifier);
  for (const host of ['localhost:1', '127.0.0.1:1', '[::1]:1'])
    expect(new JwtVerifier({ ...GOOD, jwksUrl: new URL(`http://${host}/keys`) })).toBeInstanceOf(TokenVerifier);
});

test('without jose, making a verifier is a setup error that says what to install', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'perch-jwt-'));
  try {
    cpSync(path.join(repository, 'dist'), folder, { recursive: true });
    const program = `
      const { jwtVerifier } = require(${JSON.stringify(path.join(folder, 'jwt/index.js'))});
      jwtVerifier(${JSON.stringify(GOOD)}).catch(({ code, problems: [{ fix, where }] }) => console.log(JSON.stringify({ code, fix, where })));`;
    expect(JSON.parse(runNode(['-e', program]))).toEqual({ code: 'MCP_PEER_MISSING', fix: 'npm install jose', where: 'perch-mcp/jwt' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
