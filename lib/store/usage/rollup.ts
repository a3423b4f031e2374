import { logSession, type RunQuery } from "@/lib/store/db/log-session";

/** Most seals that one run counts. The next run continues, so an ending process never waits for a long log. */
const MAX_SEALS = 100;

/**
 * The calls of one seal that agents made and that were not refused: its outcomes with their intents. The leaves name the
 * rows, because after a restore two eras use the same transaction numbers. `raisedBy` names calls, and would make almost
 * every call a different caller; `flowRules` depends on the tool.
 */
const CALLS = `sealed AS MATERIALIZED (
    SELECT execution.*, (execution.at AT TIME ZONE 'UTC')::date AS day
    FROM (SELECT unnest(records) AS record FROM seal_leaves WHERE number = $1) leaf
    JOIN execution_outcome outcome ON 'outcome ' || outcome."callId" = leaf.record
      AND outcome.xid >= $2::text::xid8 AND outcome.xid < $3::text::xid8
    CROSS JOIN LATERAL (
      SELECT * FROM execution WHERE "callId" = outcome."callId" AND at = outcome."callAt" LIMIT 1) execution
    WHERE outcome.status <> 'denied' AND execution."toolId" IS NOT NULL AND execution.mode IS NOT NULL
      AND execution.door NOT IN ('try', 'refused')
      AND NOT EXISTS (
        SELECT FROM log_erasure erased
        WHERE (erased.agent = execution.agent
            OR (erased.subject = execution.subject AND erased.issuer = execution.issuer))
          AND execution.at < erased."to" AND (erased."from" IS NULL OR execution.at >= erased."from"))
  ), shaped AS MATERIALIZED (
    SELECT sealed.*, session IS NOT NULL AS in_session, CASE
      WHEN jsonb_typeof(request -> 'confidence') = 'number'
      THEN jsonb_set(request - ARRAY['raisedBy', 'flowRules'], '{confidence}', to_jsonb(floor((request ->> 'confidence')::numeric * 100) / 100))
      ELSE request - ARRAY['raisedBy', 'flowRules'] END AS shape
    FROM sealed
  ), counted AS MATERIALIZED (
    SELECT "callId", policies, groups, "toolId" AS tool, day, issuer, subject, agent, "claimsDigest", shape, in_session,
      left(encode(sha256(convert_to(json_build_array(issuer, subject, agent, "claimsDigest", shape, in_session)::text, 'UTF8')),
        'hex'), 32) AS caller
    FROM shaped
  )`;

/** The statement that adds the calls of a seal: its number, and its transactions. */
export const ROLL_UP = `WITH ${CALLS}, callers AS (
    INSERT INTO usage_caller (caller, issuer, subject, agent, "claimsDigest", request, "inSession", "lastDay")
    SELECT DISTINCT ON (caller) caller, issuer, subject, agent, "claimsDigest", shape, in_session, day
    FROM counted ORDER BY caller, day DESC
    ON CONFLICT (caller) DO UPDATE SET "lastDay" = excluded."lastDay" WHERE usage_caller."lastDay" < excluded."lastDay"
  ), through AS MATERIALIZED (
    SELECT policy, "group", tool, caller, day, count(*)::int AS calls FROM (
      SELECT '' AS policy, '' AS "group", tool, caller, day FROM counted
      UNION ALL
      SELECT policy, "group", tool, caller, day FROM counted, unnest(policies) policy, unnest(groups) "group"
    ) each_call GROUP BY policy, "group", tool, caller, day
  ), last AS (
    INSERT INTO usage_last (policy, "group", tool, "lastDay")
    SELECT policy, "group", tool, max(day) FROM through GROUP BY policy, "group", tool
    ON CONFLICT (policy, "group", tool) DO UPDATE SET "lastDay" = excluded."lastDay"
      WHERE usage_last."lastDay" < excluded."lastDay"
  )
  INSERT INTO usage_day (policy, "group", tool, caller, day, calls) SELECT policy, "group", tool, caller, day, calls FROM through
  ON CONFLICT (policy, "group", tool, caller, day) DO UPDATE SET calls = usage_day.calls + excluded.calls`;

/**
 * Counts the calls of the seals that were not counted yet (docs/reference/log.md#use). Each seal is one transaction with
 * the number of the last counted seal, so a process that dies in the middle counts no call twice and leaves none out.
 *
 * @returns the number of counted seals
 * @throws errors of the store
 */
export async function rollUpUsage(): Promise<number> {
  for (let counted = 0; counted < MAX_SEALS; counted += 1)
    if (!(await logSession("add", countNextSeal))) return counted;
  return MAX_SEALS;
}

async function countNextSeal(runQuery: RunQuery): Promise<boolean> {
  // The lock makes erasures and other processes wait, so none of them misses a call that is being counted.
  const [cursor] = await runQuery<{ seal: number }>(`SELECT seal FROM usage_cursor WHERE id = 1 FOR UPDATE`);
  if (cursor === undefined) return false;
  const [seal] = await runQuery<{ number: number; fromXid: string; toXid: string }>(
    `SELECT number, "fromXid", "toXid" FROM seal WHERE number > $1 ORDER BY number LIMIT 1`,
    [cursor.seal],
  );
  if (seal === undefined) return false;
  await runQuery(ROLL_UP, [seal.number, seal.fromXid, seal.toXid]);
  await runQuery(`UPDATE usage_cursor SET seal = $1 WHERE id = 1`, [seal.number]);
  return true;
}
