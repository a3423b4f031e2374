import { ownAudience } from "@/lib/auth/agents/own-issuer";
import type { Page } from "@/lib/contracts/changes/list";
import type { ConnectionQuery, ConnectionRow } from "@/lib/contracts/people/connection";
import { publicOrigin } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { can, type Role } from "@/lib/resources/permissions";
import { endConnection, listConnections } from "@/lib/store/oauth/connections";
import type { Actor } from "@/lib/store/save/write";

/** The person or the token that asks. */
interface Reader {
  readonly actor: Actor;
  readonly role: Role;
  /** `null` for a token, which has no connections. */
  readonly userId: string | null;
}

/** The actor's connections, or with the permission to read people everybody's. @throws AppError `forbidden` */
export async function readConnections(
  { role, userId }: Reader,
  { of, ...page }: ConnectionQuery,
): Promise<Page<ConnectionRow>> {
  if (of === "everyone") {
    if (!can(role, "people:read"))
      throw new AppError("forbidden", "Connections of others need the permission `people:read`.", {
        extra: { permission: "people:read" },
      });
    return withClaims(await listConnections({}, page));
  }
  if (userId === null) return { items: [], nextCursor: null, total: 0 };
  return withClaims(await listConnections({ person: userId }, page));
}

type Listed = Awaited<ReturnType<typeof listConnections>>;

function withClaims({ items, ...page }: Listed): Page<ConnectionRow> {
  const rows = items.map(({ personId, ...row }) => {
    const { id: grant, client, agent, scopes } = row;
    const audience = { iss: publicOrigin(), aud: ownAudience() };
    const claims = {
      ...audience,
      sub: personId,
      client_id: client,
      act: { sub: agent },
      grant,
      scope: scopes.join(" "),
    };
    return { ...row, claims };
  });
  return { ...page, items: rows };
}

/** Ends a connection of the actor, or with the permission to change people anybody's. @throws AppError `not_found` */
export async function removeConnection({ actor, role, userId }: Reader, id: string): Promise<void> {
  // Nobody's id: a token without the permission has no connections.
  const own = userId ?? "00000000-0000-0000-0000-000000000000";
  await endConnection(actor, id, can(role, "people:write") ? null : own);
}
