import { OWN_ISSUER } from "@/lib/access/model/claims";
import { newCallId } from "@/lib/store/log/call-id";
import { storableJson } from "@/lib/access/model/storable";
import { Prisma } from "@/lib/store/generated/client";

/** The attempts of one disabled agent within a minute, refused for one reason. */
interface RefusedAttempts {
  readonly agent: string;
  /** The refusal as the agent received it. */
  readonly message: string;
  /** The admin's reason; `null` without one. */
  readonly reason: string | null;
  readonly count: number;
}

/** Longest reason that the log's filter accepts. */
const MAX_REASON_LENGTH = 200;

/** The condition for calls of agents: excludes people's trials and the refused attempts of disabled agents. */
export const CALLS_OF_AGENTS = Prisma.sql`execution."door" NOT IN ('try', 'refused')`;

/**
 * The statement that writes one intent row and one outcome row per agent and reason, with the number of attempts. The rows
 * name no tool, because the server reads no unauthenticated request. The subject is the agent, whichever credential it used.
 */
export function attemptsSql(attempts: readonly RefusedAttempts[], at: Date): Prisma.Sql {
  const rows = attempts.map(({ agent, message, reason, count }) => ({
    callId: newCallId(at.getTime()),
    agent,
    reason: reason === null ? "agent_disabled" : cut(`agent_disabled: ${reason}`),
    error: { code: "unauthenticated", message, retryable: false },
    count,
  }));
  const time = Prisma.sql`${at.toISOString()}::timestamptz`;
  return Prisma.sql`
    WITH attempt AS (
      SELECT * FROM json_to_recordset(${storableJson(rows)}::json)
        AS attempt ("callId" text, "agent" text, "reason" text, "error" jsonb, "count" int)
    ), intent AS (
      INSERT INTO execution ("callId", "instance", "requestId", "at", "door", "issuer", "subject", "agent", "claimsDigest",
        "asked", "policies", "groups", "revision", "request")
      SELECT "callId", '', '', ${time}, 'refused', ${OWN_ISSUER}, "agent", "agent", '', '', '{}', '{}',
        COALESCE((SELECT revision FROM config_state WHERE id = 1), 0), '{}'::jsonb
      FROM attempt
    )
    INSERT INTO execution_outcome ("callId", "callAt", "at", "status", "code", "reason", "error", "attempts", "empty")
    SELECT "callId", ${time}, ${time}, 'denied', 'unauthenticated', "reason", "error", "count", true FROM attempt`;
}

function cut(text: string): string {
  return text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH - 1)}…` : text;
}
