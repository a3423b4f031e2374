import { AppError } from "@/lib/errors";
import type { Verdict } from "@/lib/contracts/changes/verdict";
import { can, type Role } from "@/lib/resources/permissions";
import { tables, toValue } from "@/lib/store/config/tables";
import { findUser } from "@/lib/store/config/users";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import {
  acceptedDefinitions,
  changedId,
  isUnchanged,
  readableChanges,
  requestedChanges,
  toChanges,
  type RequestedChange,
} from "@/lib/store/requests/change-body";
import { answerRequest, findRequest, toRequestRow, type StoredRequest } from "@/lib/store/requests/requests";
import { findUsableTokenNamed } from "@/lib/store/people/tokens";
import { markRequestedImport } from "@/lib/store/sources/import-jobs";
import { requirePausesKept } from "@/lib/store/save/paused-rows";
import { Stored } from "@/lib/store/save/stored";
import { write, type Actor } from "@/lib/store/save/write";

/** A person who answers a request. */
export interface Answerer {
  readonly actor: Actor;
  /** The person's id; `null` for a token, which answers no request. */
  readonly userId: string | null;
  readonly requestId: string;
}

/** Thrown out of the writer's transaction: the rows of the request have changed since. */
class Outdated extends Error {}

/**
 * Approves a change request and applies it in one transaction, once. Requester and approver need the permission to write each
 * changed row, as it is stored at that moment. The changes are judged again: what would widen more than the request says is
 * not applied.
 *
 * @param hash the hash of the request that the approver saw
 * @throws AppError `not_found`; `forbidden` for one's own request, for a token and without a permission; `conflict` for
 * another hash, an answered or outdated request, and a wider effect; the errors of `write`
 */
export async function approveChange(
  id: string,
  { hash, reason }: { readonly hash: string; readonly reason: string },
  answerer: Answerer,
): Promise<StoredRequest> {
  const request = await requireAnswerable(id, answerer);
  if (request.hash !== hash)
    throw new AppError("conflict", "The request has changed since you read it: load it again.");
  const asker = { kind: request.askerKind as Actor["kind"], name: request.asker, role: "auditor" as Role };
  const changes = requestedChanges(request);
  const plan = async (stored: Stored, tx: Prisma.TransactionClient) => {
    await requireOpen(tx, id);
    // Under the writers' lock, which may have waited for a save that disables the requester.
    asker.role = await roleNow(request, tx);
    await requirePresent(tx, answerer.userId, "changes:approve", changes);
    await requireUpToDate(stored, changes);
    return toChanges(request);
  };
  const { actor, requestId } = answerer;
  const saved = write(asker, plan, {
    paths: "document",
    note: `approved by ${actor.name} (${id})`,
    review: { approved: verdictOf(request) },
    definitions: () => acceptedDefinitions(request),
    onSaved: async (tx, { revision, changes: rows }) => {
      await markRequestedImport(tx, id, { revision, changes: rows });
      const answer = { status: "applied", actor, reason, requestId, revision } as const;
      if (!(await answerRequest(tx, { id, hash }, answer, new Date()))) throw await answered(id);
    },
  });
  return finishAnswer(saved, id, answerer);
}

/**
 * Waits for the save of an answer, and reads the request. Closes the request when its rows have changed since it was opened.
 *
 * @throws AppError `conflict` for such a request; the errors of the save
 */
export async function finishAnswer(saved: Promise<unknown>, id: string, answerer: Answerer): Promise<StoredRequest> {
  try {
    await saved;
    return await requireRequest(id);
  } catch (error) {
    if (!(error instanceof Outdated)) throw error;
    await close(id, "outdated", "The rows changed after the request.", answerer);
    throw new AppError("conflict", "The request is outdated: its rows have changed since. Make the change again.", {
      extra: { current: toRequestRow(await requireRequest(id)) },
    });
  }
}

/** Refuses a change request. @throws AppError as `approveChange`, except for the changes themselves */
export async function refuseChange(id: string, reason: string, answerer: Answerer): Promise<StoredRequest> {
  await requireAnswerable(id, answerer);
  return close(id, "refused", reason, answerer);
}

/** Withdraws one's own change request. @throws AppError `not_found`; `forbidden`; `conflict` for an answered one */
export async function withdrawChange(id: string, reason: string, answerer: Answerer): Promise<StoredRequest> {
  const request = await requireRequest(id);
  if (!isOwn(request, answerer)) throw new AppError("forbidden", "Only its requester can withdraw a request.");
  return close(id, "withdrawn", reason, answerer);
}

/** Whether a person may approve or refuse a request now, as far as their role tells. */
export function mayAnswer(request: StoredRequest, { actor, userId }: Pick<Answerer, "actor" | "userId">): boolean {
  if (request.status !== "open" || actor.kind === "token" || isOwn(request, { actor, userId })) return false;
  return can(actor.role, "changes:approve") && mayWrite(actor.role, request);
}

/** Whether a role may write each requested change. One that cannot be read can be refused; approving it fails. */
export function mayWrite(role: Role, request: StoredRequest): boolean {
  return unwritableOf(role, readableChanges(request) ?? []) === undefined;
}

/** The first change that a role may not write itself. */
function unwritableOf(role: Role, changes: readonly RequestedChange[]): RequestedChange | undefined {
  return changes.find(({ resource }) => !can(role, tables[resource].write));
}

/** Whether the reader asked, or made the token that asked. */
export function isOwn(
  { personId, askerKind, asker }: StoredRequest,
  { actor, userId }: Pick<Answerer, "actor" | "userId">,
): boolean {
  return (userId !== null && personId === userId) || (actor.kind === askerKind && actor.name === asker);
}

/** @throws AppError `not_found` for an id that is no change request's */
export async function requireRequest(id: string): Promise<StoredRequest> {
  const request = await findRequest(id);
  if (request?.kind !== "change") throw new AppError("not_found", "There is no such change request.");
  return request;
}

async function requireAnswerable(id: string, answerer: Answerer): Promise<StoredRequest> {
  const request = await requireRequest(id);
  if (answerer.actor.kind === "token")
    throw new AppError("forbidden", "A person must answer a request: sign in. No token can.");
  if (isOwn(request, answerer))
    throw new AppError("forbidden", "You made this request. Another administrator or editor must answer it.");
  if (request.status !== "open") throw await answered(id);
  return request;
}

async function close(
  id: string,
  status: "refused" | "withdrawn" | "outdated",
  reason: string,
  { actor, requestId }: Answerer,
): Promise<StoredRequest> {
  const done = await db().$transaction((tx) =>
    answerRequest(tx, { id, hash: null }, { status, actor, reason, requestId }, new Date()),
  );
  if (!done) throw await answered(id);
  return requireRequest(id);
}

/** The error for a request that has been answered. */
export async function answered(id: string): Promise<AppError> {
  const current = toRequestRow(await requireRequest(id));
  const how = current.status === "open" ? "it has expired" : `it is ${current.status}`;
  return new AppError("conflict", `The request no longer waits for an answer: ${how}.`, { extra: { current } });
}

async function requireOpen(tx: Prisma.TransactionClient, id: string): Promise<void> {
  const present = await tx.request.findUnique({ where: { id }, select: { status: true } });
  if (present?.status !== "open") throw await answered(id);
}

/**
 * Reads a person again, because a role may have changed since the HTTP request began.
 *
 * @throws AppError `forbidden` without the permission, or without those to write each changed kind and to end the pauses of rows
 */
export async function requirePresent(
  tx: Prisma.TransactionClient,
  userId: string | null,
  permission: "changes:approve" | "changes:bypass",
  changes: readonly RequestedChange[],
): Promise<void> {
  const user = userId === null ? null : await tx.user.findUnique({ where: { id: userId } });
  const role = user?.enabled === true ? (user.role as Role) : null;
  const missing = role === null ? undefined : unwritableOf(role, changes);
  if (role !== null && can(role, permission) && missing === undefined)
    return requirePausesKept(new Stored(tx), changes, role);
  throw new AppError(
    "forbidden",
    missing === undefined
      ? `Your role no longer has the permission \`${permission}\`.`
      : `You may not change ${missing.resource}, so you cannot answer this request.`,
  );
}

/** The requester's present role; a token's is that of its next use. @throws AppError `conflict` when they may no longer sign in */
async function roleNow({ askerKind, asker, personId }: StoredRequest, tx: Prisma.TransactionClient): Promise<Role> {
  // Only the demo's example is a request of the program.
  if (askerKind === "system") return "admin";
  if (askerKind === "token") {
    const usable = await findUsableTokenNamed(asker, Date.now(), tx);
    // Another person may have made a token of this name since.
    if (usable !== null && (usable.owner?.id ?? null) === personId) return usable.token.role;
  } else {
    const person = personId === null ? null : await findUser(personId, tx);
    if (person?.enabled === true && !person.openIdRefused) return person.role;
  }
  throw new AppError("conflict", `\`${asker}\` asked for this change and may no longer sign in: refuse it.`);
}

/**
 * Requires that the rows of a request are what they were when it was opened, and that the new names in it are free. Within
 * a save that goes to `finishAnswer`.
 */
export async function requireUpToDate(stored: Stored, changes: readonly RequestedChange[]): Promise<void> {
  const own = changes.filter(({ action }) => action !== "create");
  const leaving = new Set(own.map(({ resource, id }) => `${resource}/${id}`));
  for (const change of changes) {
    const { resource, action, id } = change;
    const becomes = changedId(change);
    const isNew = action === "create" || becomes !== id;
    if (isNew && !leaving.has(`${resource}/${becomes}`) && (await stored.get(resource, becomes)) !== null)
      throw new Outdated();
    const row = action === "create" ? null : await stored.get(resource, id);
    if (!isUnchanged(change, row === null ? null : toValue(resource, row))) throw new Outdated();
  }
}

function verdictOf(request: StoredRequest): Verdict {
  const { facts } = toRequestRow(request);
  return facts.kind === "change" ? facts.verdict : { kind: "unknown", reasons: [] };
}
