import type { LabelOwner } from "@/lib/access/flow/replay";
import { db } from "@/lib/store/db/database";
import type { Span } from "@/lib/store/log/flow-calls";

/** A label that a person took from a run or a caller. */
export interface ClearedLabel {
  readonly label: string;
  readonly owner: LabelOwner;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The person. */
  readonly by: string;
}

/** Most clears of one reading. */
const MAX_CLEARS = 10_000;

/**
 * The clears of a span of time, earliest first, from the audit trail.
 *
 * @param run only those of this run and its caller
 * @throws AppError `config_unavailable`
 */
export async function readClears({ from, until }: Span, run?: LabelOwner): Promise<ClearedLabel[]> {
  const ofRun =
    run === undefined
      ? {}
      : { issuer: run.issuer, subject: run.subject, OR: [{ session: null }, { session: run.session }] };
  const rows = await db().auditEvent.findMany({
    where: { action: "labels.cleared", at: { gte: from, lt: until }, ...ofRun },
    select: { target: true, issuer: true, subject: true, session: true, at: true, actor: true },
    orderBy: [{ at: "asc" }, { id: "asc" }],
    take: MAX_CLEARS,
  });
  return rows.flatMap(({ target, issuer, subject, session, at, actor }) =>
    issuer === null || subject === null
      ? []
      : [{ label: target, owner: { issuer, subject, session }, at: at.getTime(), by: actor }],
  );
}
