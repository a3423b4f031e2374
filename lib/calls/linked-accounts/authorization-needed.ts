import type { JsonObject } from "@/lib/access/model/configuration";
import type { Caller } from "@/lib/auth/agents/caller";
import { connectUrl } from "@/lib/calls/linked-accounts/our-client";
import { AppError } from "@/lib/errors";

/** Why a call has no linked account: its person has none, or the upstream ended it, or there is no person. */
export type MissingLink = "not_linked" | "ended" | "no_person";

/** A refusal for callers: what is missing, and the page where a person can change it. */
interface AuthorizationNeeded {
  readonly message: string;
  readonly details: JsonObject;
}

/**
 * The answer to a caller without a usable linked account: a sentence that a model and a person understand, and the
 * address of the connect page if the caller acts for a person who can use it.
 */
export function authorizationNeeded(
  source: string,
  missing: MissingLink,
  credential: Caller["credential"],
): AuthorizationNeeded {
  if (missing === "no_person")
    return {
      message: `The source \`${source}\` acts with each person's own account at the upstream, and ${NO_PERSON_ADVICE[credential.kind]}`,
      details: { source },
    };
  const url = connectUrl(source);
  const what =
    missing === "not_linked" ? "and you have not linked one yet" : "and the upstream has ended the one that you linked";
  return {
    message: `The source \`${source}\` acts with your own account at the upstream, ${what}. Open ${url} in a browser, link your account, then repeat this call.`,
    details: { source, connect_url: url },
  };
}

const NO_PERSON_ADVICE: Readonly<Record<Caller["credential"]["kind"], string>> = {
  api_key:
    "no person stands behind an API key. Connect as a person: sign in from the MCP client, or call with a token of an issuer that names a person who signs in to Quartermaster.",
  jwt: "the subject of this token is no person who can sign in to Quartermaster. An administrator can give that person access.",
  trial:
    "a personal access token cannot use linked accounts. Sign in to Quartermaster in a browser and try again there.",
};

/** The answer of `authorizationNeeded` as an error. Its details reach the caller (`detailsOf`). */
export function authorizationError(source: string, missing: MissingLink, credential: Caller["credential"]): AppError {
  const { message, details } = authorizationNeeded(source, missing, credential);
  return new AppError("authorization_needed", message, { extra: { details } });
}

/** The refusal of a call whose linked account lacks scopes that the upstream demands for it. */
export function moreScopesError(source: string, scope: string): AppError {
  const url = connectUrl(source);
  const message = `The source \`${source}\` needs more access to your account for this call: \`${scope}\`. Open ${url} in a browser, link your account again and grant it, then repeat this call.`;
  return new AppError("authorization_needed", message, { extra: { details: { source, connect_url: url, scope } } });
}

/** The details of an error for the answer of a call; `undefined` = none. */
export function detailsOf({ code, extra }: AppError): JsonObject | undefined {
  return code === "authorization_needed" ? (extra["details"] as JsonObject | undefined) : undefined;
}
