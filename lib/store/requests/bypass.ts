import { AppError } from "@/lib/errors";
import { can } from "@/lib/resources/permissions";
import { settingsInput } from "@/lib/resources/settings";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { db } from "@/lib/store/db/database";
import { announce } from "@/lib/store/events/events";
import { markRequestedImport } from "@/lib/store/sources/import-jobs";
import type { Definitions } from "@/lib/store/sources/upstream-definitions";
import type { Prisma } from "@/lib/store/generated/client";
import {
  answered,
  isOwn,
  isUpToDate,
  mayWrite,
  requirePresent,
  requireRequest,
  type Answerer,
} from "@/lib/store/requests/answer-change";
import {
  bypassedDefinitions,
  requireApart,
  revertChanges,
  revertedDefinitions,
  type RequestPart,
} from "@/lib/store/requests/bypass-revert";
import { requiresSecondPerson } from "@/lib/store/requests/requires-second-person";
import { appliedChanges, requestedChanges, toChanges } from "@/lib/store/requests/change-body";
import type { StoredRequest } from "@/lib/store/requests/requests";
import type { Stored } from "@/lib/store/save/stored";
import { write, type Actor } from "@/lib/store/save/write";

/** The oldest sign-in that may apply a change without review. */
const SIGN_IN_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

/** The person who applies a change without review, and when they signed in (epoch seconds). */
interface Bypasser extends Answerer {
  readonly signedInAt: number | null;
}

/** Whether a sign-in (epoch seconds; `null` for a token) is recent enough to apply a change without review. */
export function isRecentSignIn(signedInAt: number | null, now: Date): boolean {
  return signedInAt !== null && now.getTime() - signedInAt * 1000 <= SIGN_IN_MS;
}

/**
 * Applies an open change request at once, without a second person. The request becomes `bypassed`: it is reverted after
 * `review.bypassHours`, unless a second person confirms it.
 *
 * @throws AppError `not_found`; `forbidden` without a recent sign-in, for a token, without a permission, and for rows that
 * only a review may change; `conflict` for another hash, an answered request and changed rows; the errors of `write`
 */
export async function bypassChange(
  id: string,
  { hash, reason }: { readonly hash: string; readonly reason: string },
  admin: Bypasser,
  now: Date,
): Promise<StoredRequest> {
  const { actor, userId, requestId, signedInAt } = admin;
  if (actor.kind !== "user" || userId === null || signedInAt === null)
    throw new AppError("forbidden", "Only a person who is signed in can apply a change without review. No token can.");
  if (!isRecentSignIn(signedInAt, now))
    throw new AppError("forbidden", "Your sign-in is older than 10 minutes. Sign in again, and repeat this.");
  const request = await requireRequest(id);
  if (request.hash !== hash)
    throw new AppError("conflict", "The request has changed since you read it: load it again.");
  if (request.status !== "open") throw await answered(id);
  const refused = refusalOfBypass(request);
  if (refused !== null) throw new AppError("forbidden", refused);
  const changes = requestedChanges(request);
  let until = now;
  const plan = async (stored: Stored, tx: Prisma.TransactionClient) => {
    await requirePresent(tx, userId, "changes:bypass", changes);
    await requireApart(tx, changes);
    until = new Date(now.getTime() + (await bypassHours(stored)) * HOUR_MS);
    if (!(await isUpToDate(stored, changes)))
      throw new AppError("conflict", "The rows of this request have changed since. Make the change again.");
    return toChanges(request);
  };
  await write(actor, plan, {
    paths: "document",
    note: `applied without review (${id})`,
    review: "exempt",
    now,
    // Not only when it is confirmed: a sync compares the source with what the tools say now.
    definitions: () => bypassedDefinitions(request),
    onSaved: async (tx, { revision, changes: saved }) => {
      await markRequestedImport(tx, id, { revision, changes: saved });
      const { count } = await tx.request.updateMany({
        where: { id, status: "open", hash, closesAt: { gt: now } },
        data: {
          status: "bypassed",
          closesAt: until,
          revision,
          bypassedBy: actor.name,
          bypassedById: userId,
          bypassedReason: reason,
          bypassedAt: now,
        },
      });
      if (count === 0) throw await answered(id);
      await recordAuditEvent({ actor, action: "requests.bypassed", target: id, requestId }, tx, now);
      await announce(tx, {
        type: "change.bypassed",
        path: `/admin/requests/${id}`,
        data: { request_id: id, by: actor.name, rows: changes.length, revision, reverts_at: until.toISOString() },
      });
    },
  });
  return requireRequest(id);
}

/** Why a request can never be applied without review; `null` when it can. */
export function refusalOfBypass(request: StoredRequest): string | null {
  if (request.status !== "open") return "The request does not wait for an answer.";
  if (request.secrets !== null) return "It sets a secret, so a second person must approve it.";
  const first = requestedChanges(request).find(requiresSecondPerson);
  if (first === undefined) return null;
  return `It changes ${first.resource}/${first.id}, which only a second person may approve: people, tokens, secrets, approvers and the settings of reviews.`;
}

async function bypassHours(stored: Stored): Promise<number> {
  const row = await stored.get("settings", "settings");
  return settingsInput.parse(row?.value ?? {}).review.bypassHours;
}

/** Whether a person may confirm a change that was applied without review, as far as their role tells. */
export function mayConfirm(request: StoredRequest, reader: Pick<Answerer, "actor" | "userId">): boolean {
  return isSecondPerson(request, reader) && mayWrite(reader.actor.role, request);
}

/** Neither the requester nor the admin who applied it. */
function isSecondPerson(request: StoredRequest, reader: Pick<Answerer, "actor" | "userId">): boolean {
  const { actor, userId } = reader;
  if (request.status !== "bypassed" || actor.kind !== "user" || isOwn(request, reader)) return false;
  return userId !== request.bypassedById && can(actor.role, "changes:approve");
}

/**
 * Confirms a change that was applied without review, as the second person. It stays.
 *
 * @throws AppError `not_found`; `forbidden` for the requester, the admin who applied it, a token and without a permission;
 * `conflict` for another hash and an ended request
 */
export async function confirmBypass(
  id: string,
  { hash, reason }: { readonly hash: string; readonly reason: string },
  answerer: Answerer,
  now: Date,
): Promise<StoredRequest> {
  const request = await requireRequest(id);
  if (request.status !== "bypassed") throw await answered(id);
  if (!isSecondPerson(request, answerer))
    throw new AppError("forbidden", "Another person must confirm this change: neither its requester nor a token can.");
  if (request.hash !== hash)
    throw new AppError("conflict", "The request has changed since you read it: load it again.");
  await db().$transaction(async (tx) => {
    await requirePresent(tx, answerer.userId, "changes:approve", requestedChanges(request));
    await endBypass(tx, id, { status: "applied", action: "requests.confirmed", reason, ...answerer }, now);
  });
  return requireRequest(id);
}

/** Reverts a change that was applied without review, before its time. @throws AppError as `confirmBypass`; those of `write` */
export async function revertBypass(
  id: string,
  reason: string,
  { actor, userId, requestId }: Answerer,
  now: Date,
): Promise<StoredRequest> {
  const request = await requireRequest(id);
  if (request.status !== "bypassed") throw await answered(id);
  if (userId === null) throw new AppError("forbidden", "A person must revert this change. No token can.");
  await revert(id, { actor, requestId, reason }, now);
  return requireRequest(id);
}

/** The author of timed reverts in the history. */
const NOBODY: Reverter = {
  actor: { kind: "system", name: "unconfirmed changes", role: "admin" },
  requestId: null,
  reason: "Nobody confirmed the change in time.",
};

/**
 * Reverts the changes without review that nobody confirmed in time. Safe in several processes at once.
 *
 * @throws after all others are reverted, when one failed for another reason than a refusal
 */
export async function revertUnconfirmed(now: Date): Promise<void> {
  const due = await db().request.findMany({
    where: { status: "bypassed", closesAt: { lte: now } },
    orderBy: { closesAt: "asc" },
    select: { id: true },
  });
  const failures = new Map<string, unknown>();
  const each = async (ids: readonly string[], work: (id: string) => Promise<void>) => {
    for (const id of ids) await work(id).catch((error: unknown) => failures.set(id, error));
  };
  const refused: string[] = [];
  const whole = async (id: string) => {
    if ((await refusalOf(() => revert(id, NOBODY, now))) !== null) refused.push(id);
  };
  await each(
    due.map(({ id }) => id),
    whole,
  );
  // After all others, because each row is a save.
  await each(refused, (id) => revertRows(id, now));
  const [first] = failures.values();
  if (failures.size > 0)
    throw new Error(`Changes without review cannot be reverted: ${[...failures.keys()].join(", ")}`, { cause: first });
}

/** Reverts the parts one by one, because a later change of some row prevents a revert of all. The next run tries the rest. */
async function revertRows(id: string, now: Date): Promise<void> {
  const { length } = await appliedChanges(await requireRequest(id), db());
  for (let row = 0; row < length; row++) await refusalOf(() => revert(id, NOBODY, now, row));
  await refusalOf(() => revert(id, NOBODY, now, "declined"));
}

async function refusalOf(work: () => Promise<void>): Promise<AppError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error;
    throw error;
  }
}

interface Reverter {
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly reason: string;
}

/** @param part only this part of the request; then the request stays `bypassed` */
async function revert(id: string, author: Reverter, now: Date, part?: RequestPart): Promise<void> {
  let definitions: Definitions = new Map();
  await write(
    author.actor,
    async (stored, tx) => {
      const request = await tx.request.findUnique({ where: { id } });
      if (request?.status !== "bypassed") throw await answered(id);
      const changes = await revertChanges(stored, tx, request, part);
      definitions = await revertedDefinitions(stored, tx, request, changes, part);
      return changes;
    },
    {
      paths: "document",
      note: `reverted the change without review (${id})`,
      review: "exempt",
      now,
      definitions: () => definitions,
      onSaved: async (tx) => {
        if (part !== undefined) return;
        await endBypass(tx, id, { status: "reverted", action: "requests.reverted", ...author }, now);
      },
    },
  );
}

interface Ended extends Reverter {
  readonly status: "applied" | "reverted";
  readonly action: "requests.confirmed" | "requests.reverted";
}

async function endBypass(tx: Prisma.TransactionClient, id: string, end: Ended, now: Date): Promise<void> {
  const { status, action, actor, reason, requestId } = end;
  const inTime = status === "applied" ? { closesAt: { gt: now } } : {};
  const { count } = await tx.request.updateMany({
    where: { id, status: "bypassed", ...inTime },
    data: { status, closesAt: now, decidedBy: actor.name, decidedReason: reason },
  });
  if (count === 0) throw await answered(id);
  await recordAuditEvent({ actor, action, target: id, requestId }, tx, now);
}
