import { LinkProblem } from "@/lib/calls/linked-accounts/link-problem";
import { settingsOf, type AttemptFacts, type LinkingPerson } from "@/lib/calls/linked-accounts/start-link";
import { findLinkable } from "@/lib/calls/linked-accounts/linkable";
import { redeemCode, revokeTokens } from "@/lib/calls/linked-accounts/token-requests";
import { AppError } from "@/lib/errors";
import type { Outbound } from "@/lib/outbound/fetch";
import { takeAttempt } from "@/lib/store/keys/link-attempts";
import { saveLink } from "@/lib/store/keys/linked-accounts";
import type { Actor } from "@/lib/store/save/write";
import { log } from "@/lib/telemetry/log";

/** The result of a return: the source, where it is known, and why the account is not linked. */
interface Finished {
  readonly source: string | null;
  readonly problem: LinkProblem | null;
}

/** The person who returns, with the name for the audit trail; `null` = nobody is signed in. */
export type Returning = (LinkingPerson & { readonly actor: Actor }) | null;

/**
 * Finishes a sign-in at an upstream: the `state` must be one that the same person began in the same session of this browser,
 * and it works once. Then `iss` is checked, the code is redeemed, and the tokens are stored.
 */
export async function finishLink(
  returned: URLSearchParams,
  person: Returning,
  send: Outbound,
  now: number,
): Promise<Finished> {
  const state = returned.get("state") ?? "";
  const attempt = await takeAttempt<AttemptFacts>(state, now);
  if (attempt === null)
    return {
      source: null,
      problem: new LinkProblem("expired", "Nobody began this sign-in, or it is too old or used."),
    };
  const { source } = attempt;
  try {
    requireSame(attempt, person);
    await link(attempt.facts, source, { state, returned, person: person as NonNullable<Returning> }, send, now);
    return { source, problem: null };
  } catch (error) {
    if (error instanceof LinkProblem) return { source, problem: error };
    // The browser gets a page for this too.
    if (error instanceof AppError)
      return { source, problem: new LinkProblem("refused", error.message, { cause: error }) };
    throw error;
  }
}

/** A forwarded link must link neither another person's account nor one in another browser. */
function requireSame(attempt: LinkingPerson, person: Returning): void {
  if (person === null) throw new LinkProblem("signed_out", "Your session has ended.");
  if (person.personId !== attempt.personId) throw new LinkProblem("other_person", "Another person began this sign-in.");
  if (person.session !== attempt.session) throw new LinkProblem("other_session", "Another session began this sign-in.");
}

interface Return {
  readonly state: string;
  readonly returned: URLSearchParams;
  readonly person: NonNullable<Returning>;
}

async function link(
  facts: AttemptFacts,
  name: string,
  { state, returned, person }: Return,
  send: Outbound,
  now: number,
): Promise<void> {
  const source = await findLinkable(name);
  if (source === null || settingsOf(source) !== facts.auth)
    throw new LinkProblem("changed", "The source was changed during the sign-in.");
  const { server, client, resource, scope } = facts;
  const tokens = await redeemCode({ ...facts, state }, returned, send, now);
  const { accessToken, refreshToken, usableUntil } = tokens;
  const { issuer, token_endpoint = "", revocation_endpoint = null } = server;
  const grant = {
    accessToken,
    refreshToken,
    resource,
    server: { issuer, token_endpoint, revocation_endpoint },
    client,
  };
  const { personId, actor } = person;
  const { origin } = new URL(resource);
  const granted = (tokens.scope ?? scope).slice(0, 2000);
  try {
    await saveLink(actor, { personId, source: name, origin, scope: granted, grant, usableUntil }, new Date(now));
  } catch (error) {
    // Nobody could revoke these tokens later: only this process has them.
    await revokeTokens(grant, send).catch((cause: unknown) => {
      log.warn({ source: name, err: cause }, "The tokens of an account that could not be stored are not revoked.");
    });
    throw error;
  }
}
