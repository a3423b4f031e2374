import { canonicalText } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { holdStatuses } from "@/lib/config/held-tools";
import {
  FormerNames,
  NetChanges,
  reversed,
  withNamesBack,
  type NetChange,
  type RowFacts,
  type Step,
} from "@/lib/config/diff";
import { problemsOf, type DocumentProblem } from "@/lib/config/problems";
import { AppError } from "@/lib/errors";
import { hiddenFrom } from "@/lib/resources/hidden-from";
import { resources } from "@/lib/resources/index";
import type { ConfigSection } from "@/lib/resources/sections";
import type { Role } from "@/lib/resources/permissions";
import { RESTORED_KINDS, withCounts } from "@/lib/contracts/changes/restorable";
import {
  rowDifference,
  type RevisionDiff,
  type RevisionRestored,
  type RowDifference,
} from "@/lib/contracts/changes/revision-diff";
import { settingsInput } from "@/lib/resources/settings";
import { bulkDb } from "@/lib/store/db/database";
import { inTurns, runInTurns } from "@/lib/store/db/in-turns";
import { Prisma } from "@/lib/store/generated/client";
import { Stored } from "@/lib/store/save/stored";
import { idOf } from "@/lib/store/config/tables";
import type { Kind } from "@/lib/store/config/values";
import { write, type Actor, type Change } from "@/lib/store/save/write";

const facts: RowFacts = {
  idOf: (resource, value) => idOf(resource as Kind, value),
  same: (left, right) => canonicalText(left as Json) === canonicalText(right as Json),
};

/**
 * The differences from one revision to another, in either direction, that the role may read. A renamed row is one update, as a
 * restore makes it.
 *
 * @throws AppError `not_found`
 */
export async function diffRevisions(from: number, to: number, role: Role): Promise<RevisionDiff> {
  const former = new FormerNames(facts);
  const net = await bulkDb().$transaction(
    async (tx) => {
      const stored = new Stored(tx);
      requireRevision(Math.max(from, to), await stored.revision());
      const readable = { notIn: [...hiddenFrom(role)] };
      return netOf(stored.changes(Math.min(from, to), Math.max(from, to), readable), former);
    },
    { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead },
  );
  const back = withNamesBack(reversed(net), former);
  const shown: RowDifference[] = [];
  for await (const change of inTurns(from <= to ? reversed(back) : back)) {
    const id = idOf(change.resource as Kind, (change.before ?? change.after) as object);
    shown.push(rowDifference.parse({ ...change, id }));
  }
  return withCounts(from, to, shown);
}

/**
 * Restores the document's sections of an older revision as one new revision, by undoing the changes since. Leaves people,
 * keys, tokens, pauses and accepted drift as they are, and keeps tools quarantined or deprecated: a restore must neither
 * revive a credential nor lift a stop. A row that was renamed since gets its name back, and its pause with it.
 *
 * @throws AppError `not_found`; `forbidden` naming kinds the role may not change; `in_use`; `stale`; `conflict` for a pause
 *  that cannot follow;
 *  `invalid_request` naming rows that today's schema refuses
 */
export async function restoreRevision(actor: Actor, revision: number, ifRevision?: number): Promise<RevisionRestored> {
  const plan = async (stored: Stored) => {
    const newest = await stored.revision();
    requireRevision(revision, newest);
    const former = new FormerNames(facts);
    const net = await netOf(stored.changes(revision, newest, { in: [...RESTORED_KINDS] }), former);
    const changes = toUndoChanges(withNamesBack(reversed(net), former));
    await requirePausesFollow(stored, changes, former);
    return keepDriftStatuses(stored, changes);
  };
  const written = await write(actor, plan, {
    ifRevision,
    note: `restored revision ${revision}`,
    paths: "document",
  });
  return { revision: written.revision, restored: revision, changes: written.changes.length };
}

async function netOf(steps: AsyncIterable<Step>, former?: FormerNames): Promise<NetChange[]> {
  const net = new NetChanges(facts);
  for await (const step of steps) {
    net.add(step);
    former?.add(step);
  }
  return runInTurns(net.result());
}

/** A pause cannot follow its row back to a former name that another row has now. @throws AppError `conflict` */
async function requirePausesFollow(stored: Stored, changes: readonly Change[], former: FormerNames): Promise<void> {
  for (const { scope, target } of (await stored.all("pauses")).values()) {
    const resource = scope === "agent" ? "agents" : "sources";
    const name = target === null ? null : former.of(resource, target);
    if (name === null || name === target) continue;
    const back = changes.find(
      (one) => one.resource === resource && one.action !== "delete" && idOf(resource, one.after) === name,
    );
    if (back === undefined || (back.action === "update" && back.id === target)) continue;
    throw new AppError(
      "conflict",
      `The paused \`${target}\` was \`${name}\` before. Resume it, or undo its rename first.`,
    );
  }
}

/** Keeps tools quarantined or deprecated. Only the drift review lifts these statuses. */
async function keepDriftStatuses(stored: Stored, changes: readonly Change[]): Promise<Change[]> {
  if (!changes.some(({ resource }) => resource === "tools")) return [...changes];
  const tools = await stored.all("tools");
  return changes.map((change) => {
    if (change.resource !== "tools" || change.action !== "update") return change;
    const [after = change.after] = holdStatuses([change.after], tools).tools;
    return { ...change, after };
  });
}

function toUndoChanges(undo: readonly NetChange[]): Change[] {
  const errors: DocumentProblem[] = [];
  const changes = undo.map(({ resource, id, action, after }) => {
    if (action === "delete") return { resource, action, id };
    const parsed = parseAsToday(resource, id, after);
    errors.push(...parsed.errors);
    return { resource, action, id, after: parsed.value };
  });
  if (errors.length > 0)
    throw new AppError("invalid_request", "The revision has rows that are no longer valid.", { errors });
  return changes as unknown as Change[];
}

/** Parses a value of the history with today's schema. A newer field gets its default. */
function parseAsToday(resource: string, id: string, value: unknown): { value: unknown; errors: DocumentProblem[] } {
  const settings = resource === "settings";
  const schema = settings ? settingsInput : resources[resource as ConfigSection].input;
  const given = settings ? (value as { value: unknown }).value : value;
  const parsed = schema.safeParse(given);
  if (parsed.success) return { value: settings ? { name: "settings", value: parsed.data } : parsed.data, errors: [] };
  const at = settings ? resource : `${resource}[${id}]`;
  const errors = problemsOf(parsed.error, given).map(({ path, message }) => ({ path: `${at}.${path}`, message }));
  return { value: null, errors };
}

function requireRevision(wanted: number, newest: number): void {
  if (wanted <= newest) return;
  throw new AppError("not_found", `There is no revision ${wanted}: the newest is ${newest}.`);
}
