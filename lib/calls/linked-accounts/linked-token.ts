import { setTimeout as delay } from "node:timers/promises";
import type { Caller } from "@/lib/auth/agents/caller";
import { personBehind } from "@/lib/auth/agents/person-behind";
import { originExcluded } from "@/lib/calls/credentials/origin-excluded";
import { authorizationError, type MissingLink } from "@/lib/calls/linked-accounts/authorization-needed";
import { LinkProblem } from "@/lib/calls/linked-accounts/link-problem";
import { refreshTokens } from "@/lib/calls/linked-accounts/token-requests";
import { retryUntilWritten } from "@/lib/calls/queue/retry-until-written";
import { AppError } from "@/lib/errors";
import type { Outbound } from "@/lib/outbound/fetch";
import { singleton } from "@/lib/process/singleton";
import {
  claimRefresh,
  dropGrant,
  findLink,
  findLinkById,
  findLinkingPerson,
  releaseRefresh,
  saveRefreshed,
  touchLink,
  type LinkedAccount,
  type LinkGrant,
} from "@/lib/store/keys/linked-accounts";
import { log } from "@/lib/telemetry/log";
import { metrics } from "@/lib/telemetry/metrics";

/** A caller as far as linked accounts depend on it. */
type LinkCaller = Pick<Caller, "credential" | "principal">;

/** The linked account that a caller's calls use, or why there is none. Reads the store: an ended one counts at once. */
export async function findCallersLink(caller: LinkCaller, source: string): Promise<LinkedAccount | MissingLink> {
  const reference = personBehind(caller);
  const personId = reference === null ? null : await findLinkingPerson(reference);
  if (personId === null) return "no_person";
  const account = await findLink(personId, source);
  if (account === null) return "not_linked";
  return account.grant === null ? "ended" : account;
}

/** The linked account that a caller's calls use. @throws AppError `authorization_needed` when there is none */
export async function requireCallersLink(caller: LinkCaller, source: string): Promise<LinkedAccount> {
  const found = await findCallersLink(caller, source);
  if (typeof found === "string") throw authorizationError(source, found, caller.credential);
  return found;
}

/** An access token, and the texts that answers must not contain. */
interface LinkedToken {
  readonly token: string;
  readonly hidden: readonly string[];
}

/**
 * The access token of a caller's person for a request to `url`. Refreshes it before it expires, in one process only.
 *
 * @param refused the token that the upstream has just not taken
 * @throws AppError `authorization_needed`, `upstream_auth_failed`
 */
export async function linkedToken(
  {
    caller,
    source,
    url,
    refused,
  }: {
    readonly caller: LinkCaller;
    readonly source: string;
    readonly url: string;
    readonly refused: string | undefined;
  },
  send: Outbound,
  now: () => number,
): Promise<LinkedToken> {
  const account = await requireCallersLink(caller, source);
  const { origin } = new URL(url);
  // An editor can change the address of a tool. A person's token is not sent to another origin.
  if (account.origin !== origin)
    throw originExcluded(
      url,
      `Accounts of the source \`${source}\` are linked at ${account.origin}, and this request goes to ${origin}: an administrator must correct the tool's address or the source's \`auth\`.`,
    );
  const grant = await usableGrant(account, refused, send, now);
  if (grant === null) throw authorizationError(source, "ended", caller.credential);
  touchLink(account.id);
  const { accessToken, refreshToken } = grant;
  return { token: accessToken, hidden: [accessToken, ...(refreshToken === null ? [] : [refreshToken])] };
}

function isUsable({ grant, usableUntil }: LinkedAccount, refused: string | undefined, now: number): boolean {
  return grant !== null && grant.accessToken !== refused && (usableUntil === null || now < usableUntil.getTime());
}

/** The refreshes of this process by account: calls that need the same one share it. */
const underWay = singleton("LinkRefreshes", () => new Map<string, Promise<LinkGrant | null>>());

/** Refreshed tokens by account whose write has failed and is repeated: the stored ones may be worth nothing. */
const unstored = singleton("UnstoredLinkGrants", () => new Map<string, LinkGrant>());

async function usableGrant(
  account: LinkedAccount,
  refused: string | undefined,
  send: Outbound,
  now: () => number,
): Promise<LinkGrant | null> {
  if (isUsable(account, refused, now())) return account.grant;
  const renewed = unstored().get(account.id);
  if (renewed !== undefined) return renewed;
  const running = underWay().get(account.id);
  if (running !== undefined) return running;
  const started = refreshed(account.id, refused, send, now).finally(() => underWay().delete(account.id));
  underWay().set(account.id, started);
  return started;
}

/** How long a process waits for another one that refreshes, in milliseconds. */
const WAIT_MS = 20_000;
const POLL_MS = 100;

/** Refreshes an account, or waits for the process that does. `null` = the account has ended. */
async function refreshed(
  id: string,
  refused: string | undefined,
  send: Outbound,
  now: () => number,
): Promise<LinkGrant | null> {
  for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
    const claimed = await claimRefresh(id, now());
    if (claimed !== null) return refreshClaimed(claimed, refused, send, now);
    await delay(POLL_MS);
    const present = await findLinkById(id);
    if (present === null || present.grant === null) return null;
    if (isUsable(present, refused, now())) return present.grant;
  }
  throw new AppError("upstream_auth_failed", "The linked account's token could not be refreshed in time: try again.");
}

function count({ source }: LinkedAccount, outcome: string): void {
  metrics().linkRefreshes.of({ source, outcome }).add();
}

/**
 * Stores refreshed tokens. A server that rotates refresh tokens (RFC 9700, 4.14.2) accepts the former one no more, so a
 * write that fails is repeated. The calls of this process use the tokens meanwhile. After the claim of 15 seconds another process
 * may refresh with the former token.
 */
async function storeGrant(id: string, grant: LinkGrant, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log.warn({ account: id, err: error }, "A linked account's refreshed tokens could not be stored yet.");
    unstored().set(id, grant);
    void retryUntilWritten(id, write).finally(() => unstored().delete(id));
  }
}

async function refreshClaimed(
  account: LinkedAccount,
  refused: string | undefined,
  send: Outbound,
  now: () => number,
): Promise<LinkGrant | null> {
  const { id, grant } = account;
  // Between the read and the claim, another process may have refreshed the token.
  if (grant === null || isUsable(account, refused, now())) {
    await releaseRefresh(id);
    return grant;
  }
  try {
    const tokens = await refreshTokens(grant, send, now());
    if (tokens === "ended") {
      await dropGrant(account);
      count(account, "ended");
      return null;
    }
    const { accessToken, refreshToken, usableUntil, scope } = tokens;
    // RFC 6749, 6: without a new refresh token the old one stays.
    const renewed = { ...grant, accessToken, refreshToken: refreshToken ?? grant.refreshToken };
    await storeGrant(id, renewed, () => saveRefreshed(id, { grant: renewed, usableUntil, scope }, new Date(now())));
    count(account, "refreshed");
    return renewed;
  } catch (error) {
    await releaseRefresh(id, new Date(now()));
    count(account, error instanceof LinkProblem ? error.code : "internal");
    if (!(error instanceof LinkProblem)) throw error;
    throw new AppError("upstream_auth_failed", `Your linked account's token could not be refreshed: ${error.message}`, {
      cause: error,
    });
  }
}
