import { CODE_KIND } from "@/lib/access/model/configuration";
import { isRestricted, profileAllows, profiles } from "@/lib/access/compile/profiles";
import { definitionHash, isSameDefinition } from "@/lib/config/definition-hash";
import { SEVERITIES } from "@/lib/resources/parts/words";
import type { AppliedChange } from "@/lib/store/save/change";
import { announce } from "@/lib/store/events/events";
import type { Prisma } from "@/lib/store/generated/client";
import { Stored } from "@/lib/store/save/stored";
import type { DriftValue, Value } from "@/lib/store/config/values";

/** Most tools that an event names; `count` is the total. */
const MAX_NAMED = 20;

/** Announces the drift of a save, in its transaction (docs/reference/execution.md#events). */
export async function announceChanges(
  transaction: Prisma.TransactionClient,
  changes: readonly AppliedChange[],
): Promise<void> {
  const drift = newDrift(changes);
  for (const source of new Set(drift.map((row) => row.source))) {
    const rows = drift.filter((row) => row.source === source);
    await announce(transaction, {
      type: "definition.drifted",
      path: `/admin/drift?source=${encodeURIComponent(source)}`,
      data: {
        source,
        severity: SEVERITIES.findLast((severity) => rows.some((row) => row.severity === severity)) ?? "low",
        count: rows.length,
        tools: rows.slice(0, MAX_NAMED).map(({ id, kind, severity }) => ({ tool_id: id, kind, severity })),
      },
    });
  }
  for (const [profile, tools] of await newlyHeldBack(transaction, changes))
    await announce(transaction, {
      type: "profile.drifted",
      path: `/admin/profiles/${encodeURIComponent(profile)}`,
      data: { profile, count: tools.length, tools: tools.slice(0, MAX_NAMED) },
    });
}

/** Drift that waits for review since this save. A rejected drift is already reviewed. */
function newDrift(changes: readonly AppliedChange[]): DriftValue[] {
  return changes
    .filter(({ resource, after }) => resource === "drift" && after !== null)
    .map(({ after }) => after as DriftValue)
    .filter(({ rejectedBy }) => rejectedBy === null);
}

/** For each restricted profile, the changed tools whose new definition nobody has accepted (docs/reference/decision.md#profile-drift). */
async function newlyHeldBack(
  transaction: Prisma.TransactionClient,
  changes: readonly AppliedChange[],
): Promise<ReadonlyMap<string, string[]>> {
  const tools = changes.filter(isRedefined).map(({ after }) => after as Value<"tools">);
  const held = new Map<string, string[]>();
  if (tools.length === 0) return held;
  const stored = new Stored(transaction);
  const [sources, acceptances] = [await stored.all("sources"), await stored.all("drift-acceptances")];
  for (const profile of [...profiles.values()].filter(isRestricted)) {
    const waiting = tools.filter(
      (tool) =>
        sources.get(tool.source)?.kind !== CODE_KIND &&
        profileAllows(profile, tool.source, tool.operation) &&
        !isAccepted(acceptances.get(`${profile.name}/${tool.id}`), tool),
    );
    if (waiting.length > 0)
      held.set(
        profile.name,
        waiting.map(({ id }) => id),
      );
  }
  return held;
}

/** Hashes only tools with an acceptance: an import may add thousands of tools. */
function isAccepted(acceptance: Value<"drift-acceptances"> | undefined, tool: Value<"tools">): boolean {
  return acceptance !== undefined && acceptance.definitionHash === definitionHash(tool);
}

function isRedefined({ resource, before, after }: AppliedChange): boolean {
  if (resource !== "tools" || after === null) return false;
  return before === null || !isSameDefinition(before as Value<"tools">, after as Value<"tools">);
}
