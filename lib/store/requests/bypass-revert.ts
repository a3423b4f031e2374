import type { Json } from "@/lib/access/model/configuration";
import { isSameJson } from "@/lib/access/model/canonical";
import { AppError } from "@/lib/errors";
import { idOf, toValue } from "@/lib/store/config/tables";
import type { Prisma } from "@/lib/store/generated/client";
import { appliedChanges, changedId, type RequestedChange } from "@/lib/store/requests/change-body";
import type { StoredRequest } from "@/lib/store/requests/requests";
import type { Kind } from "@/lib/store/config/values";
import type { Change } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";

/** A row's fields as JSON. */
export type Fields = Readonly<Record<string, Json>>;

/** A request that was applied without review, with its changes. */
export interface Applied {
  readonly request: StoredRequest;
  readonly changes: readonly RequestedChange[];
}

/** The requests that were applied without review and wait for a second person. */
async function* unconfirmed(tx: Prisma.TransactionClient): AsyncGenerator<Applied> {
  const requests = await tx.request.findMany({ where: { status: "bypassed" }, orderBy: { closesAt: "asc" } });
  for (const request of requests) yield { request, changes: await appliedChanges(request, tx) };
}

/** Two unconfirmed changes of one row could not be reverted one by one. @throws AppError `conflict` */
export async function requireApart(tx: Prisma.TransactionClient, changes: readonly RequestedChange[]): Promise<void> {
  const ids = new Set(
    changes.flatMap((change) => [change.id, changedId(change)].map((id) => `${change.resource}/${id}`)),
  );
  for await (const other of unconfirmed(tx)) {
    const shared = changesLeft(other).find((change) =>
      [change.id, changedId(change)].some((id) => ids.has(`${change.resource}/${id}`)),
    );
    if (shared === undefined) continue;
    throw new AppError(
      "conflict",
      `\`${shared.resource}/${shared.id}\` has a change without review already (${other.request.id}). Confirm or revert it first.`,
    );
  }
}

/** The changes that no revert of single rows has undone. Later changes of the others are not the request's. */
function changesLeft({ request, changes }: Applied): readonly RequestedChange[] {
  const reverted = new Set(request.revertedRows);
  return changes.filter((_change, row) => !reverted.has(row));
}

/** A row as it is, and as it would be after the reverts of all unconfirmed changes. */
export interface Reverted {
  readonly resource: Kind;
  readonly id: string;
  readonly before: object | null;
  readonly after: object | null;
}

/**
 * The effect of the reverts of all unconfirmed changes. The review gate must not accept an unreviewed widening as the
 * proof that the next one shows nothing new.
 */
export async function unconfirmedReverts(stored: Stored, tx: Prisma.TransactionClient): Promise<readonly Reverted[]> {
  const rows: Reverted[] = [];
  for await (const applied of unconfirmed(tx))
    for (const change of await revertChanges(stored, tx, applied, changesLeft(applied)))
      rows.push(await revertedRow(stored, change));
  return rows;
}

/** The row of one change of a revert. @throws AppError `config_unavailable` */
export async function revertedRow(stored: Stored, change: Change): Promise<Reverted> {
  const { resource } = change;
  const id = change.action === "create" ? idOf(resource, change.after) : change.id;
  const found = change.action === "create" ? null : await stored.get(resource, id);
  const before = found === null ? null : toValue(resource, found);
  return { resource, id, before, after: change.action === "delete" ? null : change.after };
}

/**
 * The changes that revert a change without review. Each row becomes what it was before, with the fields that approved
 * requests have changed since. Other later edits of the row are lost, except that a row that was disabled since stays
 * disabled, a tool quarantined or deprecated, and an allowing policy switched off.
 *
 * @param wanted the changes to revert
 */
export async function revertChanges(
  stored: Stored,
  tx: Prisma.TransactionClient,
  { request, changes }: Applied,
  wanted: readonly RequestedChange[],
): Promise<readonly Change[]> {
  const later = await laterChanges(tx, request.revision ?? 0);
  const reverted = await Promise.all(wanted.map((change) => revertOne(stored, tx, later, change)));
  // An earlier partial revert may have restored the drift row of this request.
  const held = await Promise.all(wanted.map((change) => holdByHand(stored, changes, change)));
  return [...reverted, ...held].filter((change) => change !== null);
}

/** The status, before it, of a tool that the change activated; `null` for another change. */
export function activatedFrom({ resource, before, after }: RequestedChange): Json {
  const [was, became] = [before, after].map((row) => (row as unknown as Fields | null)?.["status"]);
  return resource === "tools" && was !== "active" && became === "active" ? (was ?? null) : null;
}

/** A tool that only the reverted change activated stays stopped when its source takes back a change that waits since then. */
async function holdByHand(
  stored: Stored,
  changes: readonly RequestedChange[],
  change: RequestedChange,
): Promise<Change | null> {
  if (activatedFrom(change) === null) return null;
  const drift = await stored.get("drift", change.id);
  if (drift?.kind !== "changed" || drift.heldByHand) return null;
  if (changes.some((other) => other.resource === "drift" && other.id === change.id)) return null;
  return { resource: "drift", action: "update", id: drift.id, after: { ...toValue("drift", drift), heldByHand: true } };
}

/** Which rows have changes after a revision. */
interface Later {
  readonly revision: number;
  readonly has: (resource: Kind, id: string) => boolean;
}

/** Reads them together: most rows of a request have no later change, and need no query of their own. */
export async function laterChanges(tx: Prisma.TransactionClient, revision: number): Promise<Later> {
  const rows = await tx.change.groupBy({ by: ["resource", "rowId"], where: { revision: { gt: revision } } });
  const changed = new Set(rows.map(({ resource, rowId }) => `${resource}/${rowId}`));
  return { revision, has: (resource, id) => changed.has(`${resource}/${id}`) };
}

async function revertOne(
  stored: Stored,
  tx: Prisma.TransactionClient,
  later: Later,
  change: RequestedChange,
): Promise<Change | null> {
  const { resource } = change;
  const { id, target: reviewed } = await followLater(tx, later, change);
  const found = await stored.get(resource, id);
  const present = found === null ? null : (toValue(resource, found) as unknown as Fields);
  const target = reviewed === null || present === null ? reviewed : staysStopped(present, reviewed, change);
  if (present === null)
    return target === null ? null : ({ resource, action: "create", after: target } as unknown as Change);
  if (target === null) return { resource, action: "delete", id } as Change;
  return { resource, action: "update", id, after: target } as unknown as Change;
}

/** Follows the later changes of a row: its present id, and its value with the reviewed ones only. */
async function followLater(
  tx: Prisma.TransactionClient,
  later: Later,
  change: RequestedChange,
): Promise<{ readonly id: string; readonly target: Fields | null }> {
  const { resource } = change;
  let id = changedId(change);
  let target = change.before as unknown as Fields | null;
  let last = 0n;
  while (later.has(resource, id)) {
    const next = await tx.change.findFirst({
      where: { resource, rowId: id, revision: { gt: later.revision }, id: { gt: last } },
      orderBy: { id: "asc" },
    });
    if (next === null) break;
    last = next.id;
    const [before, after] = [next.before, next.after] as unknown as (Fields | null)[];
    if (await isReviewed(tx, next.revision)) target = withFields(target, before ?? null, after ?? null);
    if (after !== null && after !== undefined) id = idOf(resource, after);
  }
  return { id, target };
}

/** Whether a person approved the request behind a revision. */
async function isReviewed(tx: Prisma.TransactionClient, revision: number): Promise<boolean> {
  return (await tx.request.findFirst({ where: { revision, kind: "change", status: "applied" } })) !== null;
}

/** A row that does not exist without the unreviewed change stays absent: an approval of an edit does not cover the row. */
function withFields(target: Fields | null, before: Fields | null, after: Fields | null): Fields | null {
  if (before === null) return after;
  if (after === null || target === null) return null;
  const changed = Object.entries(after).filter(([field, value]) => !isSameJson(before[field] ?? null, value));
  return { ...target, ...Object.fromEntries(changed) };
}

/** What was stopped since the change stays stopped. A deny that is switched off stops nothing. */
function staysStopped(present: Fields, target: Fields, { resource, after }: RequestedChange): Fields {
  const changed = (after ?? {}) as Fields;
  const stays = (field: string, stop: Json) =>
    present[field] === stop && changed[field] !== stop && target[field] !== stop;
  const grants = resource === "policies" && present["effect"] !== "deny";
  return {
    ...target,
    ...(stays("enabled", false) && {
      enabled: false,
      ...("disabledReason" in present && { disabledReason: present["disabledReason"] ?? null }),
    }),
    ...(stays("status", "quarantined") && { status: "quarantined" }),
    // The source ends a deprecation when it has the operation again; only a person ends this quarantine.
    ...(target["status"] !== "quarantined" && stays("status", "deprecated") && { status: "deprecated" }),
    ...(grants && stays("active", false) && { active: false }),
  };
}
