/** Paths of the endpoints. Browsers and clients learn them from the metadata. */
export const OAUTH_PATHS = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  jwks: "/oauth/jwks",
  revocation: "/oauth/revoke",
  registration: "/oauth/register",
} as const;

/** The paths that clients call. A browser opens the others. */
export const CLIENT_PATHS: readonly string[] = [OAUTH_PATHS.token, OAUTH_PATHS.revocation, OAUTH_PATHS.registration];

/** Paths of the metadata. Clients differ in whether they append the path of the MCP server (RFC 8414, 3.1; RFC 9728, 3.1). */
export const METADATA_PATHS = {
  resource: bothForms("oauth-protected-resource"),
  server: [...bothForms("oauth-authorization-server"), ...bothForms("openid-configuration")],
};

function bothForms(name: string): readonly string[] {
  return [`/.well-known/${name}`, `/.well-known/${name}/mcp`];
}
