import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TokenVerifier } from 'perch-mcp';
import { BearerGate } from '../../src/policy/bearer-gate';
import { isBearerToken, readBearerToken } from '../../src/policy/bearer-token';
import { readPrincipal } from '../../src/policy/read-principal';
import { SharedToken } from '../../src/policy/shared-token';

const TOKEN = 'Aa0-._~+/0123456789==';
const ALICE = { id: 'alice', scopes: ['read'] };

function gateOf(verify: TokenVerifier['verify'], limitMs = 5_000): BearerGate {
  return new BearerGate({ verify }, limitMs);
}

describe('the token in the headers', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('D7: the scheme may be written "%s"', (scheme) => {
    expect(readBearerToken([`${scheme} ${TOKEN}`])).toBe(TOKEN);
  });

  test.each([
    [[]],
    [['']],
    [['Bearer']],
    [['Bearer ']],
    [[TOKEN]],
    [[`Basic ${TOKEN}`]],
    [[`Bearer  ${TOKEN}`]],
    [[`Bearer\t${TOKEN}`]],
    [[` Bearer ${TOKEN}`]],
    [[`Bearer ${TOKEN} `]],
    [[`Bearer ${TOKEN}\n`]],
    [[`Bearer ${TOKEN},Bearer ${TOKEN}`]],
    [[`Bearer ${TOKEN}, Basic x`]],
    [[`Bearer ${TOKEN} ${TOKEN}`]],
    [['Bearer =']],
    [['Bearer a=b']],
    [['Bearer t\u00f6ken']],
    [['Bearer "token"']],
    [['Bearer tok\0en']],
    [['Bearer token="x"']],
    [[`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]],
    [[`Bearer ${TOKEN}`, 'Basic x']],
  ])('D7: %j brings no token', (headers) => {
    expect(readBearerToken(headers)).toBeUndefined();
  });

  test('what can be sent as a token is what can be read as one', () => {
    for (let code = 0; code < 300; code += 1) {
      const token = `a${String.fromCharCode(code)}b`;
      expect([code, isBearerToken(token)]).toEqual([code, readBearerToken([`Bearer ${token}`]) === token]);
    }
    expect([undefined, null, 5, '', [TOKEN]].map(isBearerToken)).toEqual([false, false, false, false, false]);
  });

  test('D7: a long header is read in no more time than its length', () => {
    const started = performance.now();
    for (const text of ['a', '=', 'a=', ' '].map((each) => `Bearer ${each.repeat(100_000)} `)) readBearerToken([text]);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('a shared token', () => {
  test.each(['', 'A', TOKEN.slice(0, -1), `${TOKEN}=`, TOKEN.toLowerCase(), 'x'.repeat(100_000), TOKEN.replace('A', 'B')])(
    'D8: "%s" is compared without throwing and is not it',
    (token) => expect(new SharedToken(TOKEN).verify(token)).toBeUndefined(),
  );

  test('whoever has it is somebody without scopes and roles, whom nobody can change', () => {
    const principal = new SharedToken(TOKEN).verify(TOKEN);
    expect(principal).toEqual({ id: 'token', scopes: [] });
    expect([principal, principal?.scopes].every(Object.isFrozen)).toBe(true);
  });

  test('D8: it is compared by timingSafeEqual over digests, and by nothing else', () => {
    const source = readFileSync(join(__dirname, '../../src/policy/shared-token.ts'), 'utf8');
    expect(source).toContain('timingSafeEqual(digestOf(token), this.#digest)');
    expect(source).not.toMatch(/[!=]==?|localeCompare|startsWith|includes|indexOf/);
  });
});

describe('a principal', () => {
  test.each([
    [undefined],
    [null],
    [false],
    [true],
    [''],
    ['alice'],
    [1],
    [[]],
    [() => ALICE],
    [{}],
    [{ authenticated: false }],
    [{ authenticated: true }],
    [{ scopes: [] }],
    [{ id: 'alice' }],
    [{ id: '', scopes: [] }],
    [{ id: ' ', scopes: [] }],
    [{ id: 5, scopes: [] }],
    [{ id: 'alice', scopes: 'read' }],
    [{ id: 'alice', scopes: { 0: 'read', length: 1 } }],
    [{ id: 'alice', scopes: [5] }],
    [{ id: 'alice', scopes: new Set(['read']) }],
    [{ id: 'alice', scopes: [], roles: 'admin' }],
    [{ id: 'alice', scopes: [], roles: null }],
    [{ id: 'alice', scopes: [], roles: [null] }],
    [{ id: 'alice', scopes: [], claims: 'x' }],
  ])('B12: %p is none', async (value) => {
    expect(readPrincipal(value)).toBeUndefined();
    expect(await gateOf(() => value as never).admit([`Bearer ${TOKEN}`])).toEqual({ refused: 'token not accepted' });
  });

  test('is a frozen copy, without what else the verifier knew', async () => {
    const known = { ...ALICE, roles: ['admin'], claims: { sub: 'a' }, password: 'x' };
    const admitted = await gateOf(async () => known).admit([`Bearer ${TOKEN}`]);
    expect(admitted).toEqual({ principal: { ...ALICE, roles: ['admin'], claims: { sub: 'a' } } });
    known.scopes.push('write');
    known.roles.push('root');
    expect(admitted).toEqual({ principal: { id: 'alice', scopes: ['read'], roles: ['admin'], claims: { sub: 'a' } } });
  });
});

describe('the gate is closed when in doubt', () => {
  test('B12: a verifier that throws, rejects, or does neither in its time refuses', async () => {
    const headers = [`Bearer ${TOKEN}`];
    const thrown = gateOf(() => {
      throw new Error(`expired: ${TOKEN}, ${TOKEN}`);
    });
    expect(await thrown.admit(headers)).toEqual({ refused: 'verifier threw', detail: 'Error: expired: [token], [token]' });
    expect(await gateOf(() => Promise.reject(new TypeError('down'))).admit(headers)).toEqual({
      refused: 'verifier threw',
      detail: 'TypeError: down',
    });
    expect(await gateOf(() => new Promise(() => undefined), 5).admit(headers)).toEqual({ refused: 'verifier timed out' });
  });

  test('what is thrown may be anything', async () => {
    const unprintable = { toString: () => ({}) };
    const gate = gateOf(() => {
      throw unprintable as unknown as Error;
    });
    expect(await gate.admit([`Bearer ${TOKEN}`])).toMatchObject({ refused: 'verifier threw' });
    const trap = new Proxy(ALICE, {
      get: () => {
        throw new Error('trap');
      },
    });
    expect(await gateOf(() => trap).admit([`Bearer ${TOKEN}`])).toMatchObject({ refused: 'verifier threw' });
  });

  test('without one token nobody asks the verifier', async () => {
    const verify = jest.fn(() => ALICE);
    const gate = gateOf(verify);
    expect(await gate.admit([])).toEqual({ refused: 'no token' });
    expect(await gate.admit(['Basic x'])).toEqual({ refused: 'not one bearer token' });
    expect(await gate.admit([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`])).toEqual({ refused: 'not one bearer token' });
    expect(verify).not.toHaveBeenCalled();
  });

  test('D12: a verifier that gives the token back as the id of a principal admits nobody', async () => {
    expect(await gateOf((token) => ({ id: `user:${token}`, scopes: [] })).admit([`Bearer ${TOKEN}`])).toEqual({
      refused: 'verifier gave the token as id',
    });
  });
});
