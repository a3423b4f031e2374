import { AppError } from "@/lib/errors";
import { can } from "@/lib/resources/permissions";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { db } from "@/lib/store/db/database";
import type { Definitions } from "@/lib/store/sources/upstream-definitions";
import type { Prisma } from "@/lib/store/generated/client";
import {
  answered,
  isOwn,
  mayWrite,
  requirePresent,
  requireRequest,
  type Answerer,
} from "@/lib/store/requests/answer-change";
import { revertedDefinitions } from "@/lib/store/requests/bypass-definitions";
import { revertChanges, revertedRow } from "@/lib/store/requests/bypass-revert";
import {
  appliedChanges,
  readableDefinitions,
  requestedChanges,
  type RequestedChange,
} from "@/lib/store/requests/change-body";
import type { StoredRequest } from "@/lib/store/requests/requests";
import { requirePausesKept } from "@/lib/store/save/paused-rows";
import { refusalOf, write, type Actor } from "@/lib/store/save/write";

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
  await revert(await readBypass(request), { actor, requestId, reason }, now);
  return requireRequest(id);
}

/** The author of timed reverts in the history. */
const NOBODY: Reverter = {
  actor: { kind: "system", name: "unconfirmed changes", role: "admin" },
  requestId: null,
  reason: "Nobody confirmed the change in time.",
};

/** The bounds of the wait for the next try to revert a change of which nothing could be reverted. */
const [MIN_RETRY_MS, MAX_RETRY_MS] = [10_000, 10 * 60_000];

/**
 * Reverts the changes without review that nobody confirmed in time. Safe in several processes at once.
 *
 * @throws after all others are reverted, when one failed for another reason than a refusal
 */
export async function revertUnconfirmed(now: Date): Promise<void> {
  const due = await db().request.findMany({
    where: { status: "bypassed", closesAt: { lte: now }, OR: [{ retryAt: null }, { retryAt: { lte: now } }] },
    orderBy: { closesAt: "asc" },
    select: { id: true },
  });
  const failures = new Map<string, unknown>();
  const each = async (ids: readonly string[], work: (bypass: Bypass) => Promise<void>) => {
    for (const id of ids)
      await requireRequest(id)
        .then(readBypass)
        .then(work)
        .catch((error: unknown) => failures.set(id, error));
  };
  const refused: string[] = [];
  const whole = async (bypass: Bypass) => {
    if ((await refusalOf(() => revert(bypass, NOBODY, now))) !== null) refused.push(bypass.request.id);
  };
  await each(
    due.map(({ id }) => id),
    whole,
  );
  // After all others, because they are several saves.
  await each(refused, (bypass) => revertParts(bypass, now));
  const [first] = failures.values();
  if (failures.size > 0)
    throw new Error(`Changes without review cannot be reverted: ${[...failures.keys()].join(", ")}`, { cause: first });
}

/** A change without review, decrypted once for all tries of a run. */
interface Bypass {
  readonly request: StoredRequest;
  readonly changes: readonly RequestedChange[];
  readonly accepted: Definitions | null;
}

async function readBypass(request: StoredRequest): Promise<Bypass> {
  return { request, changes: await appliedChanges(request, db()), accepted: readableDefinitions(request) };
}

/** What to revert of a request: rows by their position, or the operations that it declined. */
type Part = readonly number[] | "declined";

/** Reverts what it can, because a later change of some row prevents a revert of all. Without success the next try waits. */
async function revertParts(bypass: Bypass, now: Date): Promise<void> {
  const { id, closesAt, revertedRows } = bypass.request;
  const done = new Set(revertedRows);
  const rows = [...bypass.changes.keys()].filter((row) => !done.has(row));
  const reverted = await revertHalves(bypass, rows, now);
  await refusalOf(() => revert(bypass, NOBODY, now, "declined"));
  if (reverted > 0) return;
  const wait = Math.min(Math.max(now.getTime() - closesAt.getTime(), MIN_RETRY_MS), MAX_RETRY_MS);
  const retryAt = new Date(now.getTime() + wait);
  await db().request.updateMany({ where: { id, status: "bypassed" }, data: { retryAt } });
}

/** Reverts each half of rows that cannot be reverted together, or its halves. Returns how many rows it reverted. */
async function revertHalves(bypass: Bypass, rows: readonly number[], now: Date): Promise<number> {
  const middle = Math.ceil(rows.length / 2);
  let reverted = 0;
  for (const half of [rows.slice(0, middle), rows.slice(middle)]) {
    if (half.length === 0) continue;
    if ((await refusalOf(() => revert(bypass, NOBODY, now, half))) === null) reverted += half.length;
    else if (half.length > 1) reverted += await revertHalves(bypass, half, now);
  }
  return reverted;
}

interface Reverter {
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly reason: string;
}

/** @param part only this part of the request; then the request stays `bypassed` */
async function revert(bypass: Bypass, author: Reverter, now: Date, part?: Part): Promise<void> {
  const { id } = bypass.request;
  const rows = new Set(part === "declined" ? [] : (part ?? bypass.changes.keys()));
  let definitions: Definitions = new Map();
  await write(
    author.actor,
    async (stored, tx) => {
      const present = await tx.request.findUnique({ where: { id }, select: { status: true, revertedRows: true } });
      if (present?.status !== "bypassed") throw await answered(id);
      for (const row of present.revertedRows) rows.delete(row);
      const wanted = bypass.changes.filter((_change, row) => rows.has(row));
      const changes = await revertChanges(stored, tx, bypass, wanted);
      if (author === NOBODY)
        for (const change of changes) await requirePausesKept(stored, [await revertedRow(stored, change)], null);
      definitions = await revertedDefinitions(stored, tx, { ...bypass, changes: wanted }, changes, Array.isArray(part));
      return changes;
    },
    {
      paths: "document",
      note: `reverted the change without review (${id})`,
      review: "exempt",
      now,
      definitions: () => definitions,
      onSaved: async (tx) => {
        if (part === undefined)
          await endBypass(tx, id, { status: "reverted", action: "requests.reverted", ...author }, now);
        // A later change of these rows is somebody's, and stays.
        else await tx.request.update({ where: { id }, data: { revertedRows: { push: [...rows] } } });
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
