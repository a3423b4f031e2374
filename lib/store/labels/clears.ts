import type { LabelOwner } from "@/lib/access/flow/replay";
import { db } from "@/lib/store/db/database";
import type { Span } from "@/lib/store/log/flow-calls";
import { translateErrors } from "@/lib/store/db/translate";

/** A label that a person took from a run or a caller. */
export interface ClearedLabel {
  readonly label: string;
  readonly owner: LabelOwner;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Most clears of one reading. */
const MAX_CLEARS = 10_000;

/** The text of the audit trail for a clear. `readClears` reads it back. */
export function clearText({ issuer, subject, session }: LabelOwner, reason: string): string {
  return `${subject} (${issuer})${session === null ? "" : `, session ${session}`}: ${reason}`;
}

/** An issuer and a session contain no spaces. */
const CLEARED = /^(.+?) \((\S+)\)(?:, session (\S+))?: /s;

/**
 * The clears of a span of time, earliest first, from the audit trail.
 *
 * @throws AppError `config_unavailable`
 */
export async function readClears({ from, until }: Span): Promise<ClearedLabel[]> {
  const rows = await translateErrors(() =>
    db().auditEvent.findMany({
      where: { action: "labels.cleared", at: { gte: from, lt: until } },
      select: { target: true, detail: true, at: true },
      orderBy: [{ at: "asc" }, { id: "asc" }],
      take: MAX_CLEARS,
    }),
  );
  return rows.flatMap(({ target, detail, at }) => {
    const [, subject, issuer, session = null] = CLEARED.exec(detail ?? "") ?? [];
    if (subject === undefined || issuer === undefined) return [];
    return [{ label: target, owner: { issuer, subject, session }, at: at.getTime() }];
  });
}
