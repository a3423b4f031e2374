import type { RevisionDiff, RowDifference } from "@/lib/contracts/changes/revision-diff";
import { CONFIG_SECTIONS } from "@/lib/resources/sections";

/** The kinds that a restore covers: those of the configuration document. */
export const RESTORED_KINDS: readonly string[] = [...CONFIG_SECTIONS, "settings"];

/** The part of a diff that a restore would apply. */
export function restorable({ from, to, changes }: RevisionDiff): RevisionDiff {
  const restored = changes.filter(({ resource }) => RESTORED_KINDS.includes(resource));
  return withCounts(from, to, restored);
}

/** A diff of these differences, with the number of each action. */
export function withCounts(from: number, to: number, changes: RowDifference[]): RevisionDiff {
  const count = (action: RowDifference["action"]) => changes.filter((change) => change.action === action).length;
  return { from, to, created: count("create"), changed: count("update"), deleted: count("delete"), changes };
}
