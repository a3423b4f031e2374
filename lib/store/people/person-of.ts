import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import type { Actor } from "@/lib/store/save/change";

/** The id in place of a person or a token that is no longer stored. Nobody has it. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/**
 * The id of the person behind an actor: a user, or the owner of a token. `null` for the system, and for a token that the
 * command line created.
 */
export async function personIdOf(
  { kind, name }: Pick<Actor, "kind" | "name">,
  client: Pick<Prisma.TransactionClient, "token" | "user"> = db(),
): Promise<string | null> {
  if (kind === "system") return null;
  if (kind === "token") return ((await client.token.findUnique({ where: { name } })) ?? { ownerId: NOBODY }).ownerId;
  return ((await client.user.findFirst({ where: isActor(name) })) ?? { id: NOBODY }).id;
}

/** The name of a signed-in person's row, which differs from the actor's name (an e-mail address); `null` for others. */
export async function personName({ kind, name }: Actor): Promise<string | null> {
  if (kind !== "user") return null;
  return (await db().user.findFirst({ where: isActor(name), select: { name: true } }))?.name ?? null;
}

/** Finds the person of an actor: its name is the e-mail address of a password account, and else the name of the row. */
function isActor(name: string): Prisma.UserWhereInput {
  return {
    OR: [
      { email: name, issuer: null },
      { name, issuer: { not: null } },
    ],
  };
}
