/** Whom a request comes from, as a verifier found out. */
export interface Principal {
  /** Tells one caller from another; a session and a sealed state belong to it. */
  readonly id: string;
  /** What its token allows, for `@Scopes()`. */
  readonly scopes: readonly string[];
  /** For `@Roles()`. */
  readonly roles?: readonly string[];
  /** Whatever else the verifier knows. Never the token. */
  readonly claims?: Readonly<Record<string, unknown>>;
}
