import type { DriftNote } from "@/lib/contracts/sources/drift";
import type { ToolInput } from "@/lib/resources/tool";
import { assessChange, assessNew, GONE, severityOf } from "@/lib/sources/drift/assess-change";
import type { ToolDiff } from "@/lib/sources/drift/diff";
import { isSame } from "@/lib/sources/drift/upstream-definition";
import type { DriftValue, Stored } from "@/lib/store/config/values";
import { inTurns } from "@/lib/store/db/in-turns";
import type { Change } from "@/lib/store/save/write";

/** The rows of a source in the review, by tool id. */
export type DriftRows = ReadonlyMap<string, Stored<"drift">>;

/** The findings of a sync or an import. */
interface Found {
  readonly diff: Pick<ToolDiff, "changed" | "removed">;
  /** New operations that wait for review. */
  readonly fresh: readonly ToolInput[];
  /** The tools as the source describes them. */
  readonly imported: readonly ToolInput[];
  /** Tools whose row, if any, is out of date. */
  readonly settled: readonly string[];
}

/**
 * The changes that update the review. A row with the same proposal keeps its time and its rejection; a row with another
 * proposal needs a new decision.
 */
export async function driftChanges(source: string, rows: DriftRows, found: Found, now: Date): Promise<Change[]> {
  const described = new Map(found.imported.map((tool) => [tool.id, tool]));
  const since = now.toISOString();
  const row = (id: string, kind: DriftValue["kind"], notes: readonly DriftNote[], heldByHand = false): DriftValue => ({
    id,
    source,
    kind,
    severity: severityOf(notes),
    since,
    proposed: described.get(id) ?? null,
    rejectedBy: null,
    heldByHand,
  });
  const wanted: DriftValue[] = [];
  for await (const tool of inTurns(found.fresh)) wanted.push(row(tool.id, "new", assessNew(tool)));
  for await (const { waits, pinned, after, heldByHand } of inTurns(found.diff.changed))
    if (waits) wanted.push(row(after.id, "changed", assessChange(pinned, after), heldByHand));
  wanted.push(...found.diff.removed.map(({ id }) => row(id, "removed", GONE)));
  const back = found.diff.changed.filter(({ waits }) => !waits).map(({ after }) => after.id);
  const gone = [...found.settled, ...back].filter((id) => rows.has(id));
  return [
    ...wanted.flatMap((after) => put(rows.get(after.id), after)),
    ...gone.map((id): Change => ({ resource: "drift", action: "delete", id })),
  ];
}

function put(before: Stored<"drift"> | undefined, after: DriftValue): Change[] {
  if (before === undefined) return [{ resource: "drift", action: "create", after }];
  if (before.kind !== after.kind || !isSame(reviewed(before), reviewed(after)))
    return [{ resource: "drift", action: "update", id: after.id, after }];
  // A person stopped the tool while its change waits. The sync quarantines it, so only this row remembers that.
  if (!after.heldByHand || before.heldByHand) return [];
  const { since, rejectedBy } = before;
  return [{ resource: "drift", action: "update", id: after.id, after: { ...after, since, rejectedBy } }];
}

function reviewed({ proposed }: DriftValue): object | null {
  return proposed === null ? null : { ...proposed, version: null };
}
