import type { ErasureInput } from "@/lib/contracts/log/erasure";
import { Prisma } from "@/lib/store/generated/client";

/** The condition for rows of the caller whom an erasure names: an agent, or a subject of an issuer. */
export function isErasedCaller({ issuer, subject, agent }: ErasureInput): Prisma.Sql {
  return agent === undefined
    ? Prisma.sql`"subject" = ${subject} AND "issuer" = ${issuer}`
    : Prisma.sql`"agent" = ${agent}`;
}
