import type { Page } from "@/lib/contracts/changes/list";
import type { ConnectionQuery, ConnectionRow } from "@/lib/contracts/people/connection";
import { AppError } from "@/lib/errors";
import { can, type Role } from "@/lib/resources/permissions";
import { endConnection, listConnections } from "@/lib/store/oauth/connections";
import type { Actor } from "@/lib/store/save/write";

/** The person or the token that asks. */
interface Asking {
  readonly actor: Actor;
  readonly role: Role;
  /** `null` for a token, which has no connections. */
  readonly userId: string | null;
}

/** A person's connections, or everybody's for those who may read people. @throws AppError `forbidden` */
export async function readConnections(
  { role, userId }: Asking,
  { of, ...page }: ConnectionQuery,
): Promise<Page<ConnectionRow>> {
  if (of === "everyone") {
    if (!can(role, "people:read"))
      throw new AppError("forbidden", "Connections of others need the permission `people:read`.", {
        extra: { permission: "people:read" },
      });
    return listConnections({}, page);
  }
  if (userId === null) return { items: [], nextCursor: null, total: 0 };
  return listConnections({ person: userId }, page);
}

/** Ends one's own connection, or anybody's for those who may change people. @throws AppError `not_found` */
export async function removeConnection({ actor, role, userId }: Asking, id: string): Promise<void> {
  // Nobody's id: a token without the permission has no connections.
  const own = userId ?? "00000000-0000-0000-0000-000000000000";
  await endConnection(actor, id, can(role, "people:write") ? null : own);
}
