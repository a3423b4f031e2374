import { discoverUpstream, resourceOf } from "@/lib/calls/linked-accounts/discovery";
import { LinkProblem } from "@/lib/calls/linked-accounts/link-problem";
import { isLinkable } from "@/lib/calls/linked-accounts/linkable";
import { scopesToAsk, widenScope } from "@/lib/calls/linked-accounts/start-link";
import type { LinkStatus } from "@/lib/contracts/people/linked-account";
import { AppError } from "@/lib/errors";
import type { Outbound } from "@/lib/outbound/fetch";
import { readLink } from "@/lib/store/keys/linked-account-rows";
import { findSource } from "@/lib/store/sources/source-tools";

/**
 * The facts of the connect page: the source, where the person would sign in, and their linked account.
 *
 * @param personId `null` for a personal access token
 * @throws AppError `not_found`
 */
export async function readLinkStatus(
  name: string,
  personId: string | null,
  send: Outbound,
  now: number,
): Promise<LinkStatus> {
  const source = await findSource(name);
  if (source === null) throw new AppError("not_found", `There is no source \`${name}\`.`);
  const account = personId === null ? null : await readLink(personId, name);
  const facts = { source: name, displayName: source.displayName, session: personId !== null, account };
  const none = { origin: null, issuer: null, scope: "", problem: null };
  if (!isLinkable(source) || !source.enabled) return { ...facts, ...none, linkable: false };
  const resource = resourceOf(source);
  const origin = resource === null ? null : new URL(resource).origin;
  try {
    const upstream = await discoverUpstream(source, send, now);
    const scope = scopesToAsk(widenScope(upstream.scope, account), upstream.server);
    return { ...facts, ...none, linkable: true, origin, issuer: upstream.server.issuer, scope };
  } catch (error) {
    if (!(error instanceof LinkProblem)) throw error;
    const problem = { code: error.code, message: error.message };
    return { ...facts, ...none, linkable: true, origin, problem };
  }
}
