import type { ErasureInput } from "@/lib/contracts/log/erasure";
import { Prisma } from "@/lib/store/generated/client";

/**
 * Milliseconds from a call's arrival within which its intent row is usually written. An erasure waits for that long; an
 * intent row that is written later looks for the erasures that cover it.
 */
export const LATE_MS = 500;

/** The condition for rows of the caller whom an erasure names: an agent, or a subject of an issuer. */
export function isErasedCaller({ issuer, subject, agent }: ErasureInput): Prisma.Sql {
  return agent === undefined
    ? Prisma.sql`"subject" = ${subject} AND "issuer" = ${issuer}`
    : Prisma.sql`"agent" = ${agent}`;
}
