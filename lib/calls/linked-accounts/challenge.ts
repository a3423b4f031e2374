/** The parts of a `WWW-Authenticate` challenge that a client of an MCP server reads (RFC 6750, 3; RFC 9728, 5.1). */
interface BearerChallenge {
  readonly error: string | null;
  readonly scopes: readonly string[] | null;
  /** The address of the metadata of the protected resource. */
  readonly metadata: string | null;
}

/** The most scopes of a challenge that are read. */
const MAX_SCOPES = 50;

/** Reads a `WWW-Authenticate` header; `null` = it holds no Bearer challenge. */
export function parseBearerChallenge(header = ""): BearerChallenge | null {
  if (!/(?:^|,\s*)bearer\b/i.test(header)) return null;
  const parameter = (name: string) => new RegExp(`[\\s,]${name}="([^"\\\\]{1,2000})"`, "i").exec(header)?.[1] ?? null;
  const metadata = parameter("resource_metadata");
  return {
    error: parameter("error"),
    scopes: toScopes(parameter("scope")),
    metadata: metadata !== null && URL.canParse(metadata) ? metadata : null,
  };
}

/** RFC 6749, 3.3: the characters of a scope. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

function toScopes(text: string | null): readonly string[] | null {
  if (text === null) return null;
  return [...new Set(text.split(" "))].filter((scope) => SCOPE.test(scope)).slice(0, MAX_SCOPES);
}

/** Joins texts of scopes without repetition. */
export function joinScopes(...texts: readonly (string | null)[]): string {
  const words = texts.flatMap((text) => (text ?? "").split(" ")).filter((word) => word !== "");
  return [...new Set(words)].join(" ");
}
