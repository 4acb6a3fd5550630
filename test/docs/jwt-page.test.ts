import { TokenVerifier } from 'perch-mcp';
import { JwtVerifier } from 'perch-mcp/jwt';
import { KeycloakVerifier } from './jwt-page';

class Readable extends KeycloakVerifier {
  readonly read = (claims: Record<string, unknown>): unknown => this.principalOf(claims);
}

test('docs/jwt.md: a verifier reads roles from where its issuer puts them, and refuses what it refuses anyway', () => {
  const verifier = new Readable({ issuer: 'https://auth.example', audience: 'mcp', jwksUrl: 'https://auth.example/keys' });
  expect([verifier instanceof TokenVerifier, verifier instanceof JwtVerifier]).toEqual([true, true]);
  expect(verifier.read({ sub: 'ada', realm_access: { roles: ['admin'] } })).toMatchObject({ id: 'ada', scopes: [], roles: ['admin'] });
  expect(verifier.read({ sub: 'ada' })).toMatchObject({ roles: [] });
  expect(verifier.read({ realm_access: { roles: ['admin'] } })).toBeUndefined();
});
