import { ROLES, type Role } from "@/lib/resources/permissions";
import type { Connection } from "@/lib/store/config/tables";

/** The facts about a person that a token's connection needs. */
export interface ConnectedPerson {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly groups: readonly string[];
}

/**
 * Reads the people who have connections and may sign in, by id. A disabled person, and one whom the OpenID provider
 * refused, is absent: their tokens end.
 */
export async function readConnectedPeople(tx: Connection): Promise<ReadonlyMap<string, ConnectedPerson>> {
  const rows = await tx.$queryRaw<(Omit<ConnectedPerson, "role"> & { role: string })[]>`
    SELECT id::text, name, role, groups FROM person
    WHERE enabled AND NOT "openIdRefused" AND id IN (SELECT person FROM connection)`;
  return new Map(
    rows.flatMap(({ role, ...person }) => {
      const known = ROLES.find((name) => name === role);
      return known === undefined ? [] : [[person.id, { ...person, role: known }] as const];
    }),
  );
}
