/** The parts of a `WWW-Authenticate` challenge that a client of an MCP server reads (RFC 6750, 3; RFC 9728, 5.1). */
interface BearerChallenge {
  readonly error: string | null;
  readonly scopes: readonly string[] | null;
  /** The address of the metadata of the protected resource. */
  readonly metadata: string | null;
}

/** The most scopes of a challenge that are read. */
const MAX_SCOPES = 50;
/** Longer values are not read. */
const MAX_VALUE_LENGTH = 2_000;

/** Reads a `WWW-Authenticate` header; `null` = it holds no Bearer challenge. */
export function parseBearerChallenge(header = ""): BearerChallenge | null {
  const parameters = challengesIn(header).find(({ scheme }) => scheme === "bearer")?.parameters;
  if (parameters === undefined) return null;
  const metadata = parameters.get("resource_metadata") ?? null;
  return {
    error: parameters.get("error") ?? null,
    scopes: toScopes(parameters.get("scope") ?? null),
    metadata: metadata !== null && URL.canParse(metadata) ? metadata : null,
  };
}

/** One challenge of a header, which may hold several. Scheme and names are in lower case. */
interface Challenge {
  readonly scheme: string;
  readonly parameters: Map<string, string>;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** The members of the header's list. Commas in quoted strings separate none. */
const MEMBERS = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g;
const PARAMETER = new RegExp(`^(${TOKEN})[ \\t]*=[ \\t]*(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)")$`);
const SCHEME = new RegExp(`^(${TOKEN})(?:[ \\t]+(.*))?$`);

/**
 * Splits a header into its challenges (RFC 9110, 11.6.1). A member of the list begins a challenge, with or without its first
 * parameter, or is a further parameter of the last one. Of repeated parameters the first counts. Other members are left out.
 */
function challengesIn(header: string): readonly Challenge[] {
  const challenges: Challenge[] = [];
  for (const [member] of header.matchAll(MEMBERS)) {
    const text = member.trim();
    const [, scheme, first = ""] = PARAMETER.test(text) ? [] : (SCHEME.exec(text) ?? []);
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    const [, name, token, quoted = ""] = PARAMETER.exec(scheme === undefined ? text : first) ?? [];
    const parameters = challenges.at(-1)?.parameters;
    if (name === undefined || parameters?.has(name.toLowerCase()) !== false) continue;
    const value = token ?? quoted.replaceAll(/\\(.)/g, "$1");
    if (value.length <= MAX_VALUE_LENGTH) parameters.set(name.toLowerCase(), value);
  }
  return challenges;
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
