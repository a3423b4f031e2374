import { AppError } from "@/lib/errors";
import type { SourceRow } from "@/lib/resources/source";
import type { CredentialRequest } from "@/lib/calls/credentials/credentials";
import { hasLinkAt } from "@/lib/store/keys/linked-accounts";

/** The parts of a source that its reading needs. */
export type ReadSource = Pick<SourceRow, "name" | "auth">;

/**
 * The caller of a reading: Quartermaster itself, not an agent.
 *
 * @param person the id of the person who reads, for sources that require the user's own sign-in; `null` = the clock, a
 * server's notification, or a personal access token
 */
export function readingCaller(person: string | null): CredentialRequest["caller"] {
  const principal = { issuer: "", subject: "", agent: null, client: null };
  return { credential: { kind: "trial", person }, bearer: "", principal };
}

/**
 * The source with the authentication for a reading. Token exchange needs a caller's token, so it is left out. Where users
 * sign in themselves, the source's own secret for imports comes before the reader's linked account.
 */
export function asRead<S extends ReadSource>(source: S): S {
  const { auth } = source;
  if (auth.mode === "user" && auth.importSecret !== null)
    return { ...source, auth: { mode: "bearer", secret: auth.importSecret } };
  return auth.mode === "token_exchange" ? { ...source, auth: { mode: "none" } } : source;
}

/**
 * The error for an admin when a source answers a reading with 401 or 403. Names the field and the fix.
 *
 * @param unsent why the source's credentials were not sent; `null` = they were sent, if there are any
 */
export function readingRefused(status: number, { auth }: ReadSource, unsent: string | null = null): AppError {
  return new AppError("upstream_auth_failed", `The address answered with status ${status}. ${remedyFor(auth, unsent)}`);
}

/**
 * Whether people may read the document at an address with their linked accounts: it is at the origin of new accounts, or of an
 * account that was linked before the source's `auth` changed.
 */
export async function isReadByPeople({ name, auth }: ReadSource, url: string | null): Promise<boolean> {
  if (auth.mode !== "user" || url === null) return false;
  const { origin } = new URL(url);
  return (auth.resource !== null && new URL(auth.resource).origin === origin) || hasLinkAt(name, origin);
}

/**
 * Refuses a reading without a linked account that lacks operations which another person may have read with theirs.
 *
 * @param unsent why no account was used; `null` = one was, or accounts see no more
 * @throws AppError `upstream_auth_failed`
 */
export function requireNoneGone(missing: number, unsent: string | null): void {
  if (missing === 0 || unsent === null) return;
  const tools = missing === 1 ? "1 tool" : `${missing} tools`;
  throw new AppError(
    "upstream_auth_failed",
    `Without a linked account the document lacks the operations of ${tools}, so nothing changes: an account may see them. ${unsent} ${NAME_SECRET}`,
  );
}

const NAME_SECRET = "To read it without a person, name an `importSecret` in the source's `auth`.";

/** Failures of a server that is not there, or is no server of the expected kind. */
const NOT_THERE: ReadonlySet<string> = new Set(["upstream_timeout", "upstream_unreachable", "upstream_error"]);

/** The failure of a reading with the field that an admin can check: the one with the server's address or command. */
export function withRemedy(error: AppError, field: "url" | "command"): AppError {
  if (!NOT_THERE.has(error.code)) return error;
  const remedy = `Check \`${field}\`, and that the server runs and can be reached from here.`;
  return new AppError(error.code, `${error.message} ${remedy}`, { cause: error });
}

function remedyFor(auth: ReadSource["auth"], unsent: string | null): string {
  if (auth.mode === "none") return "It requires credentials: set the authentication of the source (`auth`).";
  if (auth.mode === "token_exchange")
    return "It requires credentials, but the source's `auth` is token exchange, which needs a caller. To read the address, set `auth` to client credentials or another mode.";
  if (auth.mode === "user")
    return auth.importSecret === null
      ? `It requires a sign-in. ${unsent ?? "Check that your linked account may read it."} ${NAME_SECRET}`
      : `It refused the secret \`${auth.importSecret}\` of the source's \`auth\` (\`importSecret\`). ${unsent ?? "Check the secret."}`;
  if (unsent !== null) return `The request was sent without the credentials of the source's \`auth\`: ${unsent}`;
  return `It refused the credentials of the source's \`auth\` (${auth.mode}, secret \`${auth.secret}\`). Check the credentials and their permissions.`;
}
