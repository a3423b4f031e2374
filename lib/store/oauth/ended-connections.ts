import type { Prisma } from "@/lib/store/generated/client";
import type { AppliedChange, Change } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";

/** Ends the connections of deleted and renamed clients and agents, so that a later one of the same name does not inherit them. */
export async function connectionsToEnd(stored: Stored, changes: readonly AppliedChange[]): Promise<Change[]> {
  const goneFrom = (kind: AppliedChange["resource"]) =>
    changes.flatMap(({ resource, id, action, after }) => {
      if (resource !== kind || action === "create") return [];
      return after === null || (after as { readonly name?: unknown }).name !== id ? [id] : [];
    });
  const [clients, agents] = [goneFrom("clients"), goneFrom("agents")];
  if (clients.length + agents.length === 0) return [];
  const ids = await stored.matching("connections", { OR: [{ client: { in: clients } }, { agent: { in: agents } }] });
  return ids.map((id): Change => ({ resource: "connections", action: "delete", id }));
}

/** Deletes the codes and refresh tokens of the connections that the changes end. */
export async function deleteRowsOfEnded(
  tx: Prisma.TransactionClient,
  changes: readonly AppliedChange[],
): Promise<void> {
  const ended = changes.flatMap(({ resource, action, id }) =>
    resource === "connections" && action === "delete" ? [id] : [],
  );
  if (ended.length > 0) await tx.oAuthRow.deleteMany({ where: { connection: { in: ended } } });
}
