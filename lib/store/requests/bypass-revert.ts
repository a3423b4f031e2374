import type { Json } from "@/lib/access/model/configuration";
import { isSameJson } from "@/lib/access/model/canonical";
import { AppError } from "@/lib/errors";
import { idOf, toValue } from "@/lib/store/config/tables";
import { inTurns } from "@/lib/store/db/in-turns";
import type { Prisma } from "@/lib/store/generated/client";
import { acceptedDefinitions, appliedChanges, changedId, type RequestedChange } from "@/lib/store/requests/change-body";
import type { StoredRequest } from "@/lib/store/requests/requests";
import type { Kind } from "@/lib/store/config/values";
import type { Change } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";
import type { Definitions } from "@/lib/store/sources/upstream-definitions";

type Fields = Readonly<Record<string, Json>>;

/** A request that was applied without review, with its changes. */
interface Applied {
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
  readonly resource: string;
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
    for (const change of await revertChanges(stored, tx, applied, changesLeft(applied))) {
      const { resource } = change;
      const id = change.action === "create" ? idOf(resource, change.after) : change.id;
      const found = change.action === "create" ? null : await stored.get(resource, id);
      const before = found === null ? null : toValue(resource, found);
      rows.push({ resource, id, before, after: change.action === "delete" ? null : change.after });
    }
  return rows;
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
function activatedFrom({ resource, before, after }: RequestedChange): Json {
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

/**
 * The sources' definitions that a request accepts, marked with the request. Every later acceptance or decline of an operation
 * replaces the marked definition, so that a revert leaves it as it is. An operation that was declined before stays unmarked.
 * The decline of an earlier import without review counts when that import is confirmed.
 *
 * @throws AppError `conflict` when no key opens the request
 */
export async function bypassedDefinitions(
  stored: Stored,
  tx: Prisma.TransactionClient,
  request: StoredRequest,
): Promise<Definitions> {
  const accepted = acceptedDefinitions(request);
  const last = await stored.upstreamDefinitions([...accepted.keys()]);
  const marks = new Set([...last.values()].flatMap(({ bypass }) => (typeof bypass === "string" ? [bypass] : [])));
  const undecided = await tx.request.findMany({
    where: { id: { in: [...marks] }, status: { in: ["bypassed", "reverted"] } },
    select: { id: true },
  });
  const unconfirmedIds = new Set<unknown>(undecided.map(({ id }) => id));
  const isDecided = (tool: string) => {
    const { reverted, bypass } = last.get(tool) ?? { reverted: true };
    return reverted !== true && !unconfirmedIds.has(bypass);
  };
  return new Map(
    [...accepted].map(([tool, stated]) => [tool, isDecided(tool) ? stated : { ...stated, bypass: request.id }]),
  );
}

/**
 * The sources' definitions after a revert, for the tools whose definitions the request accepted; when no key opens it, for all of
 * its tools. The fields that the revert restores become the accepted ones, so that the next sync finds what the source says
 * instead. The source proposes a deleted tool again, and the operations that only the request declined.
 *
 * @param bypass the request, those of its changes to revert, and the definitions that it accepted (`null` when no key opens it)
 * @param isPart whether only rows of the request are reverted: its declined operations then stay declined
 */
export async function revertedDefinitions(
  stored: Stored,
  tx: Prisma.TransactionClient,
  { request, accepted, changes: wanted }: Applied & { readonly accepted: Definitions | null },
  changes: readonly Change[],
  isPart: boolean,
): Promise<Definitions> {
  const tools = new Map<string, Fields | null>();
  for (const change of changes) {
    const after = change.action === "delete" ? null : (change.after as unknown as Fields);
    const id = change.action === "delete" ? change.id : idOf(change.resource, change.after);
    if (change.resource === "tools" && accepted?.has(id) !== false) tools.set(id, after);
  }
  const other = isPart ? [] : [...(accepted?.keys() ?? [])].filter((id) => !tools.has(id));
  for (const id of await declinedBy(stored, tx, request, other)) tools.set(id, null);
  const definitions = new Map<string, object>();
  for await (const [id, last] of inTurns(await stored.upstreamDefinitions([...tools.keys()]))) {
    const found = await stored.get("tools", id);
    const present = found === null ? {} : (toValue("tools", found) as unknown as Fields);
    definitions.set(id, definitionAfter(last, present, tools.get(id) ?? null));
  }
  // A person activated these, not a definition of their source. Only a person ends the deprecation that returns.
  const byHand = wanted.filter((change) => activatedFrom(change) === "deprecated").map(changedId);
  const held = byHand.filter((id) => accepted?.has(id) !== true);
  for (const [id, last] of await stored.upstreamDefinitions(held)) {
    const { gone: _, ...definition } = (definitions.get(id) ?? last) as Fields;
    definitions.set(id, definition);
  }
  return definitions;
}

/**
 * The operations that have had no tool since the request, and that nobody declined again. A later deletion of a tool is a
 * person's.
 */
async function declinedBy(
  stored: Stored,
  tx: Prisma.TransactionClient,
  { id: request, revision }: StoredRequest,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const [tools, later] = [await stored.all("tools"), await laterChanges(tx, revision ?? 0)];
  const without = ids.filter((id) => !tools.has(id) && !later.has("tools", id));
  const last = await stored.upstreamDefinitions(without);
  return without.filter((id) => last.get(id)?.["bypass"] === request);
}

function definitionAfter({ gone, bypass: _, ...last }: Fields, present: Fields, after: Fields | null): object {
  if (after === null) return { ...last, reverted: true };
  const restored = Object.keys(last).filter((field) => !isSameJson(present[field] ?? null, after[field] ?? null));
  return {
    ...last,
    ...Object.fromEntries(restored.map((field) => [field, after[field] ?? null])),
    // A later deprecation of an active tool is a person's.
    ...(after["status"] === "deprecated" && gone !== undefined && { gone }),
  };
}

/** Which rows have changes after a revision. */
interface Later {
  readonly revision: number;
  readonly has: (resource: Kind, id: string) => boolean;
}

/** Read together: most rows of a request have no later change, and need no query of their own. */
async function laterChanges(tx: Prisma.TransactionClient, revision: number): Promise<Later> {
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
