/** What clients are told about where to get a token (RFC 9728, OAuth 2.0 Protected Resource Metadata). */
export interface ResourceMetadataOptions {
  /** The issuers of the tokens that the verifier accepts, such as `https://auth.example`. */
  readonly authorizationServers: readonly string[];
  /** The address of MCP as clients know it; default the one that each request was sent to. Needed with `allowedHosts: '*'`. */
  readonly resource?: string;
  /** The scopes that a client may ask for. A client without a token is told to ask for all of them. */
  readonly scopesSupported?: readonly string[];
  /** A name for people. */
  readonly resourceName?: string;
  /** A page for people. */
  readonly resourceDocumentation?: string;
}
