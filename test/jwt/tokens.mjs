// Makes tokens, asks a JwtVerifier about them, and prints what it said. A process of its own, since jose is for `import` only.
import { createHmac, KeyObject, sign as signBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { defineTool, serve, TokenVerifier } from 'perch-mcp';
import { jwtVerifier } from 'perch-mcp/jwt';
import * as jose from 'jose';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'https://mcp.example';
const SECRET = 'a secret of more than thirty-two bytes';

const keyPair = async (alg, kid) => {
  const { publicKey, privateKey } = await jose.generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await jose.exportJWK(publicKey)), ...(kid === undefined ? {} : { kid }) };
  return { alg, kid, privateKey, publicKey, jwk };
};
const [rsa, ec, ed, stranger] = await Promise.all([
  keyPair('RS256', 'rsa'),
  keyPair('ES256', 'ec'),
  keyPair('Ed25519', 'ed'),
  keyPair('RS256', 'rsa'),
]);
const now = Math.floor(Date.now() / 1000);
const seen = [];

/** A token that is good, except for what is said. `undefined` leaves a claim out. */
async function sign({ key = rsa, header = {}, ...changed } = {}) {
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', exp: now + 300, scope: 'read write', ...changed };
  const present = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  const all = { alg: key.alg, ...(key.kid === undefined ? {} : { kid: key.kid }), ...header };
  const token = await new jose.SignJWT(present).setProtectedHeader(all).sign(key.privateKey);
  seen.push(token);
  return token;
}

const base64 = (value) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const byRsa = (rest) => signBytes('sha256', Buffer.from(rest), KeyObject.from(rsa.privateKey)).toString('base64url');

/** A token of any header and claims, with this signature over them. */
function forge(header, claims, signWith = byRsa) {
  const rest = `${base64(header)}.${base64(claims)}`;
  const token = `${rest}.${signWith(rest)}`;
  seen.push(token);
  return token;
}

const CLAIMS = { iss: ISSUER, aud: AUDIENCE, sub: 'ada', exp: now + 300 };
const logs = [];
const logger = { warn: (text) => logs.push(text), debug: (text) => logs.push(text) };
const options = { issuer: ISSUER, audience: AUDIENCE, keys: [rsa.jwk, ec.jwk, ed.jwk], logger };

async function outcome(verifier, token) {
  try {
    const principal = await verifier.verify(token);
    if (principal === undefined) return `refused: ${logs.at(-1)?.replace('A token was refused: ', '')}`;
    const { id, scopes, roles } = principal;
    return roles === undefined ? { id, scopes } : { id, scopes, roles };
  } catch (error) {
    logs.push(String(error), JSON.stringify(error), String(error.cause));
    return `threw ${error.name}`;
  }
}

const results = {};
const record = async (name, more, token) => (results[name] = await outcome(await jwtVerifier({ ...options, ...more }), await token));

// What is let in.
await record('RS256', {}, sign());
await record('RS256 by hand', {}, forge({ alg: 'RS256', kid: 'rsa' }, CLAIMS));
await record('ES256', {}, sign({ key: ec }));
await record('Ed25519', {}, sign({ key: ed }));
await record('an audience among several', {}, sign({ aud: ['https://other.example', AUDIENCE] }));
await record('one of several names of the server', { audience: ['mcp', AUDIENCE] }, sign());
await record('scopes as a list', {}, sign({ scope: ['read', 'write'] }));
await record('no scopes', {}, sign({ scope: undefined }));
await record(
  'other claims',
  { idClaim: 'client_id', scopesClaim: 'scp', rolesClaim: 'groups' },
  sign({ client_id: 'c1', scp: 'x', groups: ['g'] }),
);
await record('roles as words', {}, sign({ roles: 'admin clerk' }));
await record(
  'a key without an id among several',
  {
    keys: [
      { ...stranger.jwk, kid: undefined },
      { ...rsa.jwk, kid: undefined },
    ],
  },
  sign({ header: { kid: undefined } }),
);
await record('HS256 by the secret', { keys: undefined, secret: SECRET }, sign({ key: { alg: 'HS256', privateKey: Buffer.from(SECRET) } }));
await record('the typ that is asked for', { typ: 'at+jwt' }, sign({ header: { typ: 'at+jwt' } }));
await record('the typ in its long form', { typ: 'at+jwt' }, sign({ header: { typ: 'application/at+JWT' } }));
await record('expired within the tolerance', { clockToleranceS: 30 }, sign({ exp: now - 10 }));
await record('nbf within the tolerance', { clockToleranceS: 30 }, sign({ nbf: now + 10 }));

// What is not.
await record('another audience', {}, sign({ aud: 'https://other.example' }));
await record('no audience', {}, sign({ aud: undefined }));
await record('an audience that only begins alike', {}, sign({ aud: `${AUDIENCE}.evil.example` }));
await record('another issuer', {}, sign({ iss: 'https://evil.example' }));
await record('the issuer with a slash', {}, sign({ iss: `${ISSUER}/` }));
await record('no issuer', {}, sign({ iss: undefined }));
await record('expired', {}, sign({ exp: now - 60 }));
await record('no exp', {}, sign({ exp: undefined }));
await record('an exp that is text', {}, forge({ alg: 'RS256', kid: 'rsa' }, { ...CLAIMS, exp: String(now + 300) }));
await record('nbf in the future', {}, sign({ nbf: now + 60 }));
await record('no sub', {}, sign({ sub: undefined }));
await record('an empty sub', {}, sign({ sub: ' ' }));
await record('scopes that are a number', {}, sign({ scope: 5 }));
await record('roles that are an object', {}, sign({ roles: { admin: true } }));
await record(
  'alg none',
  {},
  forge({ alg: 'none' }, CLAIMS, () => ''),
);
await record('alg None', {}, forge({ alg: 'None', kid: 'rsa' }, CLAIMS));
await record(
  'an empty signature',
  {},
  forge({ alg: 'RS256', kid: 'rsa' }, CLAIMS, () => ''),
);
await record('an algorithm that is not in the list', { algorithms: ['ES256'] }, sign());
await record('another typ', { typ: 'at+jwt' }, sign({ header: { typ: 'JWT' } }));
await record('no typ', { typ: 'at+jwt' }, sign());
await record('a critical extension', {}, forge({ alg: 'RS256', kid: 'rsa', crit: ['x'], x: 1 }, CLAIMS));
await record("a stranger's key under the same id", {}, sign({ key: stranger }));
await record('a key in the header', {}, sign({ key: stranger, header: { jwk: stranger.jwk, kid: undefined } }));
await record(
  'a key behind an address in the header',
  {},
  sign({ key: stranger, header: { jku: 'http://127.0.0.1:1/keys', x5u: 'http://127.0.0.1:1/' } }),
);
{
  const pem = await jose.exportSPKI(rsa.publicKey);
  for (const [name, key] of [
    ['PEM', pem],
    ['JWK', JSON.stringify(rsa.jwk)],
  ]) {
    const token = forge({ alg: 'HS256', kid: 'rsa' }, CLAIMS, (rest) => createHmac('sha256', key).update(rest).digest('base64url'));
    await record(`HS256 by the public key as ${name}`, {}, token);
  }
  const good = await sign({ key: { alg: 'HS256', privateKey: Buffer.from(SECRET) } });
  await record('HS256 by a secret, where keys are public', {}, good);
  await record('RS256 where there is a secret', { keys: undefined, secret: SECRET }, sign());
}
{
  const [head, , signature] = (await sign()).split('.');
  const payload = base64({ ...CLAIMS, sub: 'root' });
  seen.push(`${head}.${payload}.${signature}`);
  await record('a payload that was changed', {}, `${head}.${payload}.${signature}`);
  await record('a header that was changed', {}, `${base64({ alg: 'RS256', kid: 'rsa', x: 1 })}.${payload}.${signature}`);
}
for (const kid of ['../../../../etc/passwd', "rsa' OR '1'='1", '__proto__', 'http://127.0.0.1:1/', '', 'rsa\u0000', 5, null])
  await record(`the kid ${JSON.stringify(kid)}`, {}, forge({ alg: 'RS256', kid }, CLAIMS));
for (const token of ['', '.', '..', 'a.b.c', 'a.b.c.d.e', `${base64('{"alg":')}.e.e`, `${base64([])}.${base64([])}.x`, 'x'.repeat(8000)])
  await record(`no token at all: ${token.slice(0, 9)}`, {}, token);

// Keys behind an address.
const keyServer = { keys: [rsa.jwk], asked: 0, answer: undefined };
const server = createServer((request, response) => {
  keyServer.asked += 1;
  if (keyServer.answer !== undefined) return keyServer.answer(request, response);
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys: keyServer.keys }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const jwksUrl = `http://127.0.0.1:${server.address().port}/keys`;
const remote = (more = {}) => jwtVerifier({ issuer: ISSUER, audience: AUDIENCE, jwksUrl, logger, ...more });
const askedBy = async (work) => {
  const before = keyServer.asked;
  const value = await work();
  return { value, asked: keyServer.asked - before };
};
const many = async (verifier, token, count) => {
  const outcomes = await Promise.all(Array.from({ length: count }, () => outcome(verifier, token)));
  for (let at = 0; at < count; at += 1) outcomes.push(await outcome(verifier, token));
  return [...new Set(outcomes.map((each) => JSON.stringify(each)))];
};
const unknownKid = await sign({ key: { ...stranger, kid: 'unknown' } });
const good = await sign();
{
  const verifier = await remote();
  results['keys are fetched once'] = await askedBy(() => many(verifier, good, 20));
  results['an unknown kid fetches nothing while it is cool'] = await askedBy(() => many(verifier, unknownKid, 20));
}
{
  const verifier = await remote({ jwksCooldownMs: 0 });
  const before = await outcome(verifier, good);
  keyServer.keys = [{ ...stranger.jwk, kid: 'next' }];
  const rotated = await sign({ key: { ...stranger, kid: 'next' } });
  results['rotation'] = { before, after: await outcome(verifier, rotated), old: await outcome(verifier, good) };
  keyServer.keys = [rsa.jwk];
}
const broken = {
  'an error of the server': (_request, response) => response.writeHead(500).end(),
  'a redirect': (request, response) =>
    request.url === '/keys' ? response.writeHead(302, { Location: '/moved' }).end() : response.end(JSON.stringify({ keys: [rsa.jwk] })),
  'too much': (_request, response) => response.end(`{"keys":[],"x":"${'x'.repeat(300 * 1024)}"}`),
  'a page': (_request, response) => response.end('<html></html>'),
  'no set': (_request, response) => response.end('{"keys":[1]}'),
  silence: () => undefined,
};
for (const [name, answer] of Object.entries(broken)) {
  keyServer.answer = answer;
  const verifier = await remote({ jwksRetryMs: 60_000, jwksTimeoutMs: 300 });
  results[`keys: ${name}`] = await askedBy(() => many(verifier, good, 5));
}
{
  keyServer.answer = broken['an error of the server'];
  const verifier = await remote({ jwksRetryMs: 0 });
  const down = await outcome(verifier, good);
  keyServer.answer = undefined;
  results['recovery'] = { down, up: await outcome(verifier, good) };
}
{
  const whoami = defineTool({ name: 'whoami', description: 'd', handler: (_args, { principal }) => principal });
  const app = await serve([whoami], {
    name: 'guarded',
    version: '1.0.0',
    transport: 'http',
    port: 0,
    shutdownHooks: false,
    logger: { log: () => undefined, error: (text) => logs.push(text), warn: (text) => logs.push(text), debug: (text) => logs.push(text) },
    providers: [{ provide: TokenVerifier, useFactory: () => remote({ jwksRetryMs: 0 }) }],
  });
  const call = async (token) => {
    const response = await globalThis.fetch(app.handles[0].url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'whoami',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'whoami',
          _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
        },
      }),
    });
    const { result } = await response.json();
    return result === undefined ? response.status : JSON.parse(result.content[0].text);
  };
  keyServer.answer = broken['an error of the server'];
  const down = await call(good);
  keyServer.answer = undefined;
  const { id, scopes, claims } = await call(good);
  results['over HTTP'] = { down, up: { id, scopes, iss: claims.iss }, foreign: await call(await sign({ aud: 'https://other.example' })) };
  await app.close();
}
server.closeAllConnections();
server.close();
const gone = await jwtVerifier({ issuer: ISSUER, audience: AUDIENCE, jwksUrl });
const warning = once(process, 'warning');
results['nobody listens'] = await outcome(gone, good);
const [{ code, message }] = await warning;
results['warning'] = { code, message: message.replace(/:\d+/, ':PORT') };

const said = [...logs, message].join('\n');
results['said'] = { tokens: seen.filter((token) => token.length > 20 && said.includes(token)).length, secret: said.includes(SECRET) };
process.stdout.write(JSON.stringify(results));
