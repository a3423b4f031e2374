import type { Caller } from "@/lib/auth/agents/caller";
import { maskWords } from "@/lib/calls/credentials/mask";
import { authorizationError, moreScopesError } from "@/lib/calls/linked-accounts/authorization-needed";
import { joinScopes, parseBearerChallenge } from "@/lib/calls/linked-accounts/challenge";
import { findCallersLink } from "@/lib/calls/linked-accounts/linked-token";
import { AppError } from "@/lib/errors";
import type { SourceRow } from "@/lib/resources/source";
import { saveWantedScope } from "@/lib/store/keys/linked-accounts";

/** A request that an upstream answered. */
interface LinkedCall {
  readonly source: Pick<SourceRow, "name" | "auth">;
  readonly caller: Pick<Caller, "credential" | "principal">;
  /** The texts that must not leave: an upstream may repeat the token as a scope. */
  readonly hidden: Iterable<string>;
}

/**
 * Refuses a call to which the upstream answered 403 `insufficient_scope` (RFC 6750, 3.1), when its users sign in themselves:
 * the person must sign in again and grant the scopes that the upstream names. Stores them for the next sign-in. Any other
 * answer passes.
 *
 * @throws AppError `authorization_needed`; `upstream_auth_failed` when the person has granted these scopes already
 */
export async function requireScopes(
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  { source, caller, hidden }: LinkedCall,
): Promise<void> {
  if (status !== 403 || source.auth.mode !== "user") return;
  const challenge = parseBearerChallenge(maskWords(headers["www-authenticate"] ?? "", hidden));
  if (challenge?.error !== "insufficient_scope" || challenge.scopes === null || challenge.scopes.length === 0) return;
  const account = await findCallersLink(caller, source.name);
  if (typeof account === "string") throw authorizationError(source.name, account, caller.credential);
  const granted = new Set(account.scope.split(" "));
  const missing = challenge.scopes.filter((scope) => !granted.has(scope));
  // Another sign-in would be refused again.
  if (missing.length === 0)
    throw new AppError(
      "upstream_auth_failed",
      `The upstream of the source \`${source.name}\` refuses your linked account although it has the scopes that it names (${challenge.scopes.join(" ")}): ask an administrator of the upstream.`,
    );
  await saveWantedScope(account.id, joinScopes(account.wantedScope, missing.join(" ")));
  throw moreScopesError(source.name, missing.join(" "));
}
