import type { LabelOwner } from "@/lib/access/flow/replay";
import type { LabelSpan } from "@/lib/contracts/log/held-label";
import { rowsOf } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";
import { readClears, type ClearedLabel } from "@/lib/store/labels/clears";
import type { LoggedRaise } from "@/lib/store/log/executions-rows";

/** A logged call of a session that raised labels. */
interface RaisingCall {
  readonly callId: string;
  readonly toolId: string;
  readonly at: Date;
  readonly endedAt: Date;
  readonly raised: readonly LoggedRaise[];
}

/** A label that a call raises when it begins, and again with its result. Times are epoch milliseconds. */
interface Raise extends Pick<RaisingCall, "callId" | "toolId">, Pick<LoggedRaise, "label" | "scope"> {
  readonly at: number;
  /** Infinity = no end. */
  readonly until: number;
  /** A result raises only labels that have ended, or that a person cleared, while the call ran. */
  readonly byResult: boolean;
}

/** Most calls of a session that are read: the first ones, because later ones mostly prolong. */
const MAX_CALLS = 2_000;

/**
 * The labels that the calls of a session and their results raised, in order, each until its end: the log has what each call
 * raised, and the audit trail has who cleared it.
 *
 * @throws AppError `config_unavailable`
 */
export async function readLabelHistory(
  session: string,
  { issuer, subject }: Omit<LabelOwner, "session">,
): Promise<LabelSpan[]> {
  const calls = await readRaisingCalls(session);
  const [first] = calls;
  if (first === undefined) return [];
  const clears = await readClears({ from: first.at, until: new Date() }, { issuer, subject, session });
  return spansOf(calls, clears);
}

async function readRaisingCalls(session: string): Promise<readonly RaisingCall[]> {
  const rows = await rowsOf<Omit<RaisingCall, "raised"> & { readonly raised: string }>(Prisma.sql`
    SELECT "callId", "toolId", "at", outcome."endedAt", outcome."raised"::text AS "raised" FROM execution
    CROSS JOIN LATERAL (
      SELECT "at" AS "endedAt", "raised" FROM execution_outcome ended
      WHERE ended."callId" = execution."callId" AND ended."callAt" = execution."at" LIMIT 1) outcome
    WHERE "session" = ${session} AND outcome."raised" IS NOT NULL
    ORDER BY "at", "callId" LIMIT ${MAX_CALLS}`);
  return rows.map((row) => ({ ...row, raised: JSON.parse(row.raised) as LoggedRaise[] }));
}

/** Raises and clears in order of time, as spans: a raise of a label that is still held prolongs its span. */
function spansOf(calls: readonly RaisingCall[], clears: readonly ClearedLabel[]): LabelSpan[] {
  const spans: LabelSpan[] = [];
  const open = new Map<string, number>();
  let next = 0;
  const clearUntil = (time: number) => {
    for (let clear = clears[next]; clear !== undefined && clear.at <= time; clear = clears[next]) {
      next += 1;
      const key = keyOf(clear.label, clear.owner.session === null ? "caller" : "run");
      const place = open.get(key);
      const span = place === undefined ? undefined : spans[place];
      open.delete(key);
      if (place === undefined || span === undefined || endOf(span) <= clear.at) continue;
      spans[place] = { ...span, cleared: { at: new Date(clear.at).toISOString(), by: clear.by } };
    }
  };
  for (const { label, scope, callId, toolId, at, until: end, byResult } of raisesOf(calls)) {
    clearUntil(at - 1);
    const until = Number.isFinite(end) ? new Date(end).toISOString() : null;
    const key = keyOf(label, scope);
    const place = open.get(key);
    const span = place === undefined ? undefined : spans[place];
    if (place !== undefined && span !== undefined && endOf(span) > at) {
      if (!byResult) spans[place] = { ...span, calls: span.calls + 1, until: span.until === null ? null : until };
      continue;
    }
    open.set(key, spans.length);
    spans.push({
      label,
      scope,
      callId,
      toolId,
      at: new Date(at).toISOString(),
      calls: 1,
      byResult,
      until,
      cleared: null,
    });
  }
  clearUntil(Number.POSITIVE_INFINITY);
  return spans;
}

/** What calls and their results raise, in order of time. A result raises a label for as long as its call did. */
function raisesOf(calls: readonly RaisingCall[]): Raise[] {
  const raises = calls.flatMap(({ callId, toolId, at, endedAt, raised }) =>
    raised.flatMap(({ label, scope, until }) => {
      const end = until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
      const begun = { callId, toolId, label, scope, at: at.getTime(), until: end, byResult: false };
      const ranMs = endedAt.getTime() - begun.at;
      return [begun, { ...begun, at: endedAt.getTime(), until: end + ranMs, byResult: true }];
    }),
  );
  return raises.toSorted((one, other) => one.at - other.at);
}

function endOf({ until }: LabelSpan): number {
  return until === null ? Number.POSITIVE_INFINITY : Date.parse(until);
}

function keyOf(label: string, scope: LabelSpan["scope"]): string {
  return `${scope} ${label}`;
}
