import { createHash } from "node:crypto";
import { db } from "@/lib/store/db/database";
import { open, seal } from "@/lib/store/keys/cipher";

/** The time in which a person must return from the upstream's sign-in. */
export const ATTEMPT_MS = 10 * 60_000;

/** A sign-in at an upstream: the person and the browser session that may finish it, and its source. */
interface LinkAttempt {
  readonly personId: string;
  /** The start of the browser's session, epoch seconds. */
  readonly session: number;
  readonly source: string;
}

/** Stores an attempt under the digest of its `state`. `facts` are sealed. */
export async function saveAttempt(state: string, attempt: LinkAttempt, facts: object, now: number): Promise<void> {
  const id = digestOf(state);
  const sealed = seal("linked", JSON.stringify(facts), id);
  const data = { ...attempt, id, sealed, expiresAt: new Date(now + ATTEMPT_MS) };
  await db().linkAttempt.create({ data });
}

/**
 * Takes an attempt, so that its `state` works once. The caller then checks who finishes it.
 *
 * @returns `null` = nobody began it, it was taken before, or it has expired
 */
export async function takeAttempt<Facts>(
  state: string,
  now: number,
): Promise<(LinkAttempt & { readonly facts: Facts }) | null> {
  const id = digestOf(state);
  const [row] = await db().$queryRaw<(LinkAttempt & { sealed: string; expiresAt: Date })[]>`
    delete from link_attempt where id = ${id} returning "personId", session, source, sealed, "expiresAt"`;
  const facts = row === undefined ? null : open("linked", row.sealed, id);
  if (row === undefined || facts === null || row.expiresAt.getTime() <= now) return null;
  const { personId, session, source } = row;
  return { personId, session, source, facts: JSON.parse(facts) as Facts };
}

/** Whether a person began a sign-in at a source in the last ten minutes and has not come back. */
export async function hasOpenAttempt(personId: string, source: string, now: number): Promise<boolean> {
  const where = { personId, source, expiresAt: { gt: new Date(now) } };
  return (await db().linkAttempt.findFirst({ where, select: { id: true } })) !== null;
}

/** Deletes expired attempts. */
export async function sweepAttempts(now: Date): Promise<void> {
  await db().linkAttempt.deleteMany({ where: { expiresAt: { lte: now } } });
}

function digestOf(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}
