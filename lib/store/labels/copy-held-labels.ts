import { OWN_ISSUER } from "@/lib/access/model/claims";
import type { Prisma } from "@/lib/store/generated/client";
import { idOf } from "@/lib/store/config/tables";
import { raiseFrom } from "@/lib/store/labels/raise-sql";
import type { AppliedChange } from "@/lib/store/save/change";

/** Rows that a save renames. */
interface Renamed {
  readonly was: string[];
  readonly becomes: string[];
}

/**
 * Copies held labels to the new names of the agents and labels that a save renames, so that a rename sheds none. The rows of
 * the former names stay, because an undo brings these names back. The lock makes calls that raise labels wait for the commit:
 * they then read the new revision, and are decided again.
 */
export async function copyHeldLabels(tx: Prisma.TransactionClient, changes: readonly AppliedChange[]): Promise<void> {
  const [agents, labels] = [renamedIn(changes, "agents"), renamedIn(changes, "labels")];
  if (agents.was.length === 0 && labels.was.length === 0) return;
  await tx.$executeRaw`lock table held_label in share row exclusive mode`;
  // No caller but the former principal has its sessions.
  await copy(tx, agents, "subject", `"issuer" = '${OWN_ISSUER}' AND "session" = ''`);
  await copy(tx, labels, "label", "true");
}

function renamedIn(changes: readonly AppliedChange[], resource: "agents" | "labels"): Renamed {
  const renamed: Renamed = { was: [], becomes: [] };
  for (const { resource: kind, id, before, after } of changes) {
    if (kind !== resource || before === null || after === null) continue;
    const becomes = idOf(resource, after);
    if (becomes === id) continue;
    renamed.was.push(id);
    renamed.becomes.push(becomes);
  }
  return renamed;
}

async function copy(
  tx: Prisma.TransactionClient,
  { was, becomes }: Renamed,
  column: "subject" | "label",
  which: string,
): Promise<void> {
  if (was.length === 0) return;
  const columns = ["issuer", "subject", "session", "label"].map((name) => (name === column ? "becomes" : `"${name}"`));
  const select = `
    SELECT ${columns.join(", ")}, "callId", "toolId", "at", "until"
    FROM held_label JOIN unnest($1::text[], $2::text[]) AS renamed (was, becomes) ON "${column}" = was WHERE ${which}`;
  await tx.$executeRawUnsafe(raiseFrom(select), was, becomes);
}
