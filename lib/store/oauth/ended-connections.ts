import type { Prisma } from "@/lib/store/generated/client";
import type { AppliedChange, Change } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";

/** Ends the connections of deleted and renamed clients, so that a later client of the same name does not inherit them. */
export async function connectionsToEnd(stored: Stored, changes: readonly AppliedChange[]): Promise<Change[]> {
  const gone = changes.flatMap(({ resource, id, action, after }) => {
    if (resource !== "clients" || action === "create") return [];
    return after === null || (after as { readonly name?: unknown }).name !== id ? [id] : [];
  });
  if (gone.length === 0) return [];
  const ids = await stored.matching("connections", { client: { in: gone } });
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
