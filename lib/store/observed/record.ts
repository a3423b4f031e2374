import type { ListChange, ObservedRule, WouldBe } from "@/lib/access/decide/observed";
import { singleton } from "@/lib/process/singleton";
import { db } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";
import { storableJson } from "@/lib/access/model/storable";

/** An observed rule at one revision: an edit begins its counts again. */
export interface CountedRule extends ObservedRule {
  readonly revision: number;
}

/** The caller of an observed call or list. */
interface ObservedCaller {
  readonly issuer: string;
  readonly subject: string;
  readonly agent: string | null;
}

/** One call that observed rules match. */
interface ObservedCallNote {
  readonly callId: string;
  readonly at: Date;
  readonly toolId: string;
  readonly caller: ObservedCaller;
  readonly matching: readonly CountedRule[];
  /** `null`: the observed rules would change nothing. */
  readonly wouldBe: (Omit<WouldBe, "rule"> & { readonly rule: CountedRule }) | null;
}

/** One list that observed rules would change. */
interface ObservedListNote {
  readonly at: Date;
  readonly caller: ObservedCaller;
  readonly changes: readonly (Omit<ListChange, "rule"> & { readonly rule: CountedRule })[];
}

/** Most calls and counters that wait for the next write. What comes beyond is not counted. */
const MAX_WAITING = 10_000;

interface Counter {
  readonly key: readonly [kind: string, rule: string, revision: number, day: string, change: string, tool: string];
  readonly caller: ObservedCaller;
  count: number;
}

interface Waiting {
  calls: ObservedCallNote[];
  /** By day, the calls that a rule matched. Counted apart, because every call counts for each rule that it matches. */
  matched: Map<string, Map<CountedRule, number>>;
  counters: Map<string, Counter>;
}

const nothing = (): Waiting => ({ calls: [], matched: new Map(), counters: new Map() });

/** What this process saw since the last write. No call and no list waits for the store. */
const waiting = singleton("Observed", nothing);

const NOBODY: ObservedCaller = { issuer: "", subject: "", agent: null };

/** Notes a call that observed rules match (docs/reference/governance.md#observe). */
export function noteObservedCall(note: ObservedCallNote): void {
  const { calls, matched } = waiting();
  const day = dayOf(note.at);
  const times = matched.get(day) ?? new Map<CountedRule, number>();
  matched.set(day, times);
  for (const rule of note.matching) times.set(rule, (times.get(rule) ?? 0) + 1);
  if (note.wouldBe !== null && calls.length < MAX_WAITING) calls.push(note);
}

/** Notes a list that observed rules would change. */
export function noteObservedList({ at, caller, changes }: ObservedListNote): void {
  for (const { tool, change, rule } of changes)
    add({ key: [rule.kind, rule.name, rule.revision, dayOf(at), change, tool], caller, count: 1 });
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** Puts the calls of each rule among the other counters. */
function addMatched({ matched }: Waiting): void {
  for (const [day, rules] of matched)
    for (const [{ kind, name, revision }, count] of rules)
      add({ key: [kind, name, revision, day, "calls", ""], caller: NOBODY, count });
  matched.clear();
}

function add(counter: Counter): void {
  const { counters } = waiting();
  const text = JSON.stringify([counter.key, counter.caller]);
  const known = counters.get(text);
  if (known !== undefined) known.count += counter.count;
  else if (counters.size < MAX_WAITING) counters.set(text, counter);
}

/**
 * Writes what this process saw: every second, and when it ends. After a failure it tries again.
 *
 * @throws AppError `config_unavailable`
 */
export async function flushObserved(): Promise<void> {
  addMatched(waiting());
  const { calls, counters } = waiting();
  if (calls.length === 0 && counters.size === 0) return;
  Object.assign(waiting(), nothing());
  try {
    // Processes lock the counters in the same order.
    const sorted = [...counters].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
    await db().$transaction([
      ...(calls.length === 0 ? [] : [db().$executeRaw(callsSql(calls))]),
      ...(sorted.length === 0 ? [] : [db().$executeRaw(countersSql(sorted))]),
      db().$executeRaw(ERASED_CALLS),
      db().$executeRaw(ERASED_DAYS),
    ]);
  } catch (error) {
    waiting().calls.unshift(...calls.slice(0, MAX_WAITING - waiting().calls.length));
    counters.forEach(add);
    throw error;
  }
}

/** An erasure may come between a call and this write. Rows of older erasures are gone, so the look-back is short. */
const RECENT = Prisma.sql`erased."to" > now() - interval '1 day'`;
const OF_CALLER = Prisma.sql`(erased.agent = noted.agent OR (erased.subject = noted.subject AND erased.issuer = noted.issuer))`;
const ERASED_CALLS = Prisma.sql`
  DELETE FROM observed_call noted USING log_erasure erased
  WHERE ${RECENT} AND ${OF_CALLER} AND noted.at < erased."to" AND (erased."from" IS NULL OR noted.at >= erased."from")`;
const ERASED_DAYS = Prisma.sql`
  DELETE FROM observed_day noted USING log_erasure erased
  WHERE ${RECENT} AND ${OF_CALLER} AND noted.day <= (erased."to" AT TIME ZONE 'UTC')::date
    AND (erased."from" IS NULL OR noted.day >= (erased."from" AT TIME ZONE 'UTC')::date)`;

/** One JSON text, because a statement with a value for each column of each row costs the process several times as much. */
function callsSql(calls: readonly ObservedCallNote[]): Prisma.Sql {
  const rows = calls.flatMap(({ callId, at, toolId, caller, wouldBe }) => {
    if (wouldBe === null) return [];
    const { rule, visible, reason, change } = wouldBe;
    const { kind, name, revision } = rule;
    return { callId, at, toolId, ...caller, kind, rule: name, ruleRevision: revision, visible, reason, change };
  });
  return Prisma.sql`
    INSERT INTO observed_call ("callId", at, kind, rule, "ruleRevision", "toolId", issuer, subject, agent, change, visible, reason)
    SELECT "callId", at, kind, rule, "ruleRevision", "toolId", issuer, subject, agent, change, visible, reason
    FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS noted(
      "callId" text, at timestamptz, kind text, rule text, "ruleRevision" int, "toolId" text, issuer text, subject text,
      agent text, change text, visible boolean, reason text)
    ON CONFLICT ("callId") DO NOTHING`;
}

function countersSql(counters: readonly Counter[]): Prisma.Sql {
  const rows = counters.map(({ key: [kind, rule, revision, day, change, tool], caller, count: times }) => ({
    kind,
    rule,
    ruleRevision: revision,
    day,
    change,
    tool,
    ...caller,
    agent: caller.agent ?? "",
    count: times,
  }));
  return Prisma.sql`
    INSERT INTO observed_day AS stored (kind, rule, "ruleRevision", day, change, tool, issuer, subject, agent, count)
    SELECT kind, rule, "ruleRevision", day, change, tool, issuer, subject, agent, count
    FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS noted(
      kind text, rule text, "ruleRevision" int, day date, change text, tool text, issuer text, subject text, agent text,
      count int)
    ON CONFLICT (kind, rule, "ruleRevision", day, change, tool, issuer, subject, agent)
      DO UPDATE SET count = stored.count + excluded.count`;
}
