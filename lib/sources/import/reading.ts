import { AppError } from "@/lib/errors";
import type { SourceRow } from "@/lib/resources/source";
import type { Wanting } from "@/lib/calls/credentials/credentials";

/** A source as far as reading it depends on it. */
export type ReadSource = Pick<SourceRow, "name" | "auth">;

/** Whose reading it is: nobody's call, the house itself asks. */
export const HOUSE: Wanting["caller"] = { credential: { kind: "api_key", keyId: "" }, bearer: "" };

/**
 * A source as the house reads it: with its own authentication, or with none where that is the caller's (token
 * exchange), for a reading has no caller.
 */
export function asRead<S extends ReadSource>(source: S): S {
  return source.auth.mode === "token_exchange" ? { ...source, auth: { mode: "none" } } : source;
}

/**
 * What an admin is told when a source answered a reading with 401 or 403: the field and the fix.
 *
 * @param unsent why the credentials of the source were not sent; `null` = they were, if there are any
 */
export function readingRefused(status: number, { auth }: ReadSource, unsent: string | null = null): AppError {
  return new AppError("upstream_auth_failed", `The address answered with status ${status}. ${remedyFor(auth, unsent)}`);
}

function remedyFor(auth: ReadSource["auth"], unsent: string | null): string {
  if (auth.mode === "none") return "It asks for credentials: set the source's `auth`.";
  if (auth.mode === "token_exchange")
    return "It asks for credentials, and the source's `auth` is token exchange, which needs a caller: set `auth` to client credentials or another mode to read it.";
  if (unsent !== null) return `It was asked without the credentials of the source's \`auth\`: ${unsent}`;
  return `It does not take the credentials of the source's \`auth\` (${auth.mode}, secret \`${auth.secret}\`): check them, and whether they may read this.`;
}
