// The code of docs/jwt.md. jwt-page.test.ts makes its module.
import { Module, TokenVerifier, type Principal } from 'perch-mcp';
import { JwtVerifier, jwtVerifier, type JwtClaims } from 'perch-mcp/jwt';

// #region provide
@Module({
  providers: [
    {
      provide: TokenVerifier,
      useFactory: () =>
        jwtVerifier({
          issuer: 'https://auth.example',
          audience: 'https://mcp.example/mcp',
          jwksUrl: 'https://auth.example/.well-known/jwks.json',
          typ: 'at+jwt',
        }),
    },
  ],
})
export class AuthModule {}
// #endregion provide

// #region claims
class KeycloakVerifier extends JwtVerifier {
  protected override principalOf(claims: JwtClaims): Principal | undefined {
    const principal = super.principalOf(claims);
    const { roles = [] } = (claims['realm_access'] ?? {}) as { roles?: string[] };
    return principal === undefined ? undefined : { ...principal, roles };
  }
}
// #endregion claims

export { KeycloakVerifier };
