import { randomUUID } from "node:crypto";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { db } from "@/lib/store/db/database";
import { open, seal } from "@/lib/store/keys/cipher";
import { noteUse } from "@/lib/store/keys/last-used";
import type { Actor } from "@/lib/store/save/write";

/** How a token request names Quartermaster to the server, in the forms that a grant keeps. */
export interface LinkClient {
  readonly id: string;
  readonly via: "configured" | "document" | "registered";
  readonly method: "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";
  /** `value`: of a dynamic registration. `name`: a secret of the configuration. */
  readonly secret: { readonly value: string } | { readonly name: string } | null;
}

/** The sealed part of a linked account: the tokens, and what a refresh and a revocation need. */
export interface LinkGrant {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** The `resource` of every token request (RFC 8707). */
  readonly resource: string;
  readonly server: {
    readonly issuer: string;
    readonly token_endpoint: string;
    readonly revocation_endpoint: string | null;
  };
  readonly client: LinkClient;
}

/** A linked account as calls use it. Its grant never leaves the server. */
export interface LinkedAccount {
  readonly id: string;
  readonly source: string;
  readonly origin: string;
  /** The granted scopes, separated by spaces. */
  readonly scope: string;
  /** Scopes that the upstream demanded for a call and that were not granted; `null` = none. */
  readonly wantedScope: string | null;
  /** `null` = the upstream ended it, or no present master key opens it. */
  readonly grant: LinkGrant | null;
  readonly usableUntil: Date | null;
  /** When a process began to refresh the tokens; `null` = none does. */
  readonly claimedAt: Date | null;
}

/** The id of a person who may use linked accounts: enabled, and not refused by their OpenID provider. */
export async function findLinkingPerson(
  reference:
    | { readonly by: "id"; readonly id: string }
    | { readonly by: "openid"; readonly issuer: string; readonly subject: string },
): Promise<string | null> {
  const whose = reference.by === "id" ? { id: reference.id } : { issuer: reference.issuer, subject: reference.subject };
  const where = { ...whose, enabled: true, openIdRefused: false };
  return (await db().user.findFirst({ where, select: { id: true } }))?.id ?? null;
}

/** The linked account of a person at a source. */
export async function findLink(personId: string, source: string): Promise<LinkedAccount | null> {
  const where = { personId, source, endedAt: null };
  return toAccount(await db().linkedAccount.findFirst({ where }));
}

/** Whether an account of a source is linked at an origin, also one that has ended and is not deleted yet. */
export async function hasLinkAt(source: string, origin: string): Promise<boolean> {
  return (await db().linkedAccount.findFirst({ where: { source, origin }, select: { id: true } })) !== null;
}

/** A linked account that has not ended. */
export async function findLinkById(id: string): Promise<LinkedAccount | null> {
  return toAccount(await db().linkedAccount.findFirst({ where: { id, endedAt: null } }));
}

interface Columns {
  readonly id: string;
  readonly source: string;
  readonly origin: string;
  readonly scope: string;
  readonly wantedScope: string | null;
  readonly grant: string | null;
  readonly usableUntil: Date | null;
  readonly claimedAt: Date | null;
}

function toAccount(row: Columns | null): LinkedAccount | null {
  if (row === null) return null;
  const { id, source, origin, scope, wantedScope, usableUntil, claimedAt } = row;
  const grant = row.grant === null ? null : open("linked", row.grant, id);
  return {
    id,
    source,
    origin,
    scope,
    wantedScope,
    usableUntil,
    claimedAt,
    grant: grant === null ? null : (JSON.parse(grant) as LinkGrant),
  };
}

/** A linked account that a person has just made. */
interface NewLink {
  readonly personId: string;
  readonly source: string;
  readonly origin: string;
  readonly scope: string;
  readonly grant: LinkGrant;
  readonly usableUntil: Date | null;
}

/** Stores a linked account and ends the one that it replaces, in one transaction with its audit event. */
export async function saveLink(actor: Actor, link: NewLink, now: Date): Promise<void> {
  const { personId, source, grant, ...facts } = link;
  const id = randomUUID();
  const sealed = seal("linked", JSON.stringify(grant), id);
  const event = {
    actor,
    action: "linked_accounts.linked",
    target: source,
    detail: link.origin,
    requestId: null,
  } as const;
  await db().$transaction(async (tx) => {
    await tx.linkedAccount.updateMany({ where: { personId, source, endedAt: null }, data: { endedAt: now } });
    const { issuer } = grant.server;
    await tx.linkedAccount.create({
      data: { ...facts, id, personId, source, issuer, grant: sealed, linkedAt: now },
    });
    await recordAuditEvent(event, tx, now);
  });
}

/** Milliseconds for which no other process refreshes the same account. */
const CLAIM_MS = 15_000;

/** Whether a process refreshes the account: its newest tokens are not stored yet. */
export function isRefreshing({ claimedAt }: LinkedAccount, now: number): boolean {
  return claimedAt !== null && now - claimedAt.getTime() < CLAIM_MS;
}

/**
 * Claims the next refresh of an account. Of all processes one gets it.
 *
 * @returns the account as it is now; `null` = another process refreshes it, or it has ended
 */
export async function claimRefresh(id: string, now: number): Promise<LinkedAccount | null> {
  const free = { OR: [{ claimedAt: null }, { claimedAt: { lt: new Date(now - CLAIM_MS) } }] };
  const [row] = await db().linkedAccount.updateManyAndReturn({
    where: { id, endedAt: null, ...free },
    data: { claimedAt: new Date(now) },
  });
  return toAccount(row ?? null);
}

/** Stores refreshed tokens and releases the claim. */
export async function saveRefreshed(
  id: string,
  refreshed: { readonly grant: LinkGrant; readonly usableUntil: Date | null; readonly scope: string | null },
  now: Date,
): Promise<void> {
  const grant = seal("linked", JSON.stringify(refreshed.grant), id);
  const { usableUntil, scope } = refreshed;
  const data = {
    grant,
    usableUntil,
    claimedAt: null,
    refreshedAt: now,
    refreshFailedAt: null,
    ...(scope !== null && { scope }),
  };
  // Of an ended account too: the newest tokens are those that are revoked.
  await db().linkedAccount.updateMany({ where: { id }, data });
}

/** Releases the claim of a refresh that was not needed, or that failed at `failedAt`. */
export async function releaseRefresh(id: string, failedAt: Date | null = null): Promise<void> {
  const data = { claimedAt: null, ...(failedAt !== null && { refreshFailedAt: failedAt }) };
  await db().linkedAccount.updateMany({ where: { id }, data });
}

/** Stores the scopes that the next sign-in asks for besides the granted ones. */
export async function saveWantedScope(id: string, scope: string): Promise<void> {
  const data = { wantedScope: scope.slice(0, 2000) };
  await db().linkedAccount.updateMany({ where: { id, endedAt: null }, data });
}

/** Deletes the tokens that the upstream no longer accepts, unless newer ones replaced them. */
export async function dropGrant({ id, grant }: LinkedAccount): Promise<void> {
  const present = await findLinkById(id);
  if (present?.grant?.accessToken !== grant?.accessToken) return;
  await db().linkedAccount.updateMany({ where: { id }, data: { grant: null, claimedAt: null } });
}

/** Records a use at most once a minute, in the background. */
export function touchLink(id: string): void {
  noteUse(`link:${id}`, (at) => db().linkedAccount.updateMany({ where: { id }, data: { lastUsedAt: at } }));
}

/** A person's linked account at a source. `name`: of the person, if somebody else ends it. */
export interface LinkTarget {
  readonly personId: string;
  readonly source: string;
  readonly name?: string;
}

/**
 * Ends a person's linked account from the next call on, with its audit event. `deleteLink` follows its revocation.
 *
 * @returns `null` when there is none
 */
export async function endLink(
  actor: Actor,
  { personId, source, name }: LinkTarget,
  now: Date,
): Promise<LinkedAccount | null> {
  const detail = name === undefined ? {} : { detail: `of ${name}` };
  const event = { actor, action: "linked_accounts.ended", target: source, requestId: null, ...detail } as const;
  return db().$transaction(async (tx) => {
    const where = { personId, source, endedAt: null };
    const [row] = await tx.linkedAccount.updateManyAndReturn({ where, data: { endedAt: now } });
    if (row === undefined) return null;
    await recordAuditEvent(event, tx, now);
    return toAccount(row);
  });
}

/**
 * Accounts that have ended and whose tokens wait for their revocation. Those that the job has not tried yet come first, so that
 * accounts at a server that does not answer hold up no others.
 */
export async function endedLinks(limit: number): Promise<readonly (LinkedAccount & { readonly endedAt: Date })[]> {
  const rows = await db().linkedAccount.findMany({
    where: { endedAt: { not: null } },
    orderBy: [{ revokeFailedAt: { sort: "asc", nulls: "first" } }, { endedAt: "asc" }],
    take: limit,
  });
  return rows.flatMap((row) => {
    const account = toAccount(row);
    return account === null || row.endedAt === null ? [] : [{ ...account, endedAt: row.endedAt }];
  });
}

/** Notes that the tokens of an ended account could not be revoked. */
export async function noteFailedRevocation(id: string, now: Date): Promise<void> {
  await db().linkedAccount.updateMany({ where: { id }, data: { revokeFailedAt: now } });
}

/** Deletes an ended account. */
export async function deleteLink(id: string): Promise<void> {
  await db().linkedAccount.deleteMany({ where: { id, endedAt: { not: null } } });
}
