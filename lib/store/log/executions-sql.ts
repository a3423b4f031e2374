import { storableJson } from "@/lib/access/model/storable";
import type { Preconditions, Intent, Outcome, StoredBody } from "@/lib/store/log/executions-rows";
import { RAISE_COLUMNS, raiseFrom } from "@/lib/store/labels/raise-sql";
import type { Prisma } from "@/lib/store/generated/client";

/*
 * The log's statements take their rows as one JSON text. So one statement fits one call or a hundred, and Postgres plans it
 * only once.
 */

/** A statement with its values. */
export type Statement = Pick<Prisma.Sql, "text" | "values">;

/** A call's input to an intent statement. Without `intent`, the statement only checks the preconditions. */
export interface Stated {
  readonly intent: Intent | null;
  readonly preconditions: Preconditions;
}

/** Checks the preconditions of calls (see `Written`), and writes only the labels that they raise. */
export function preconditionsSql(stated: readonly Stated[]): Statement {
  return { text: PRECONDITIONS[variantOf(stated)], values: [storableJson(stated.map(intentRow))] };
}

/** Writes each intent whose preconditions hold. Returns a row of `Written` with the `callId` for each call. */
export function intentSql(stated: readonly Stated[]): Statement {
  return { text: INTENT[variantOf(stated)], values: [storableJson(stated.map(intentRow))] };
}

/** Chooses the variant of a statement, so that calls pay neither for a session hold nor for labels that they do not have. */
function variantOf(stated: readonly Stated[]): Variant {
  const holds = stated.some(({ preconditions }) => (preconditions.session?.hold ?? null) !== null);
  const labels = stated.some(({ preconditions }) => preconditions.labels !== null);
  return holds ? (labels ? "holdingLabels" : "holding") : labels ? "plainLabels" : "plain";
}

type Variant = "plain" | "holding" | "plainLabels" | "holdingLabels";

/** Like `intentSql`, and also writes the outcome of each written intent. */
export function refusalSql(stated: readonly Stated[], outcomes: readonly Outcome[]): Statement {
  const { plain, labels } = REFUSAL;
  const text = stated.some(({ preconditions }) => preconditions.labels !== null) ? labels : plain;
  return { text, values: [storableJson(stated.map(intentRow)), storableJson(outcomes.map(outcomeRow))] };
}

/** Writes the outcome of each call that has an intent. Returns the `callId`s of those calls. */
export function outcomeSql(outcomes: readonly Outcome[]): Statement {
  const { plain, labels } = OUTCOME;
  const text = outcomes.some(({ raisesAgain }) => raisesAgain !== undefined) ? labels : plain;
  return { text, values: [storableJson(outcomes.map(outcomeRow))] };
}

/** Conditions on a row of `stated`: all preconditions hold, and the call has the session hold that it needs. */
const UNCHANGED = `"currentRevision" = "basisRevision" AND "keyGood" AND "sessionCurrent" AND "labelsCurrent"`;
const CURRENT = `${UNCHANGED} AND "sessionFree"`;

/**
 * The calls that an erasure covers although it has not seen them, because they are written after it. Compares only times of the
 * app: the database's clock may be behind. Joins the revision last: with it inside, Postgres may walk all revisions backwards.
 */
const ERASED = `erased AS MATERIALIZED (
    SELECT "callId", by.kind, by.actor, by.role FROM stated CROSS JOIN LATERAL (
      SELECT past.revision FROM log_erasure past
      WHERE (past.agent = stated."agent" OR (past.subject = stated."subject" AND past.issuer = stated."issuer"))
        AND stated."at" < past."to" AND (past."from" IS NULL OR stated."at" >= past."from")
      ORDER BY past.revision DESC LIMIT 1) past
    JOIN revision by ON by.number = past.revision
    WHERE ${CURRENT}
  )`;

/** A condition on a row of `stated`: its bodies and claims are stored. */
const KEPT = `${CURRENT} AND "callId" NOT IN (SELECT "callId" FROM erased)`;

/**
 * Inserts claims in a fixed order: calls share them, and statements that lock them in different orders could deadlock. An erased
 * call gets neither arguments nor claims, but the event that names the person who erased.
 */
const INSERT_INTENT = `${ERASED}, intent AS (
    INSERT INTO execution ("callId", "instance", "requestId", "at", "door", "issuer", "subject", "agent", "client", "claimsDigest",
      "toolId", "source", "asked", "definitionHash", "policies", "groups", "revision", "session", "stateBefore", "mode",
      "request", "argumentsDigest", "argumentsCommitment", "parent", "traceId")
    SELECT "callId", "instance", "requestId", "at", "door", "issuer", "subject", "agent", "client", "claimsDigest",
      "toolId", "source", "asked", "definitionHash", "policies", "groups", "revision", "session", "stateBefore", "mode",
      "request", "argumentsDigest", "commitment", "parent", "traceId"
    FROM stated WHERE ${CURRENT}
  ), claims AS (
    INSERT INTO execution_claims ("digest", "at", "ciphertext")
    SELECT "claimsDigest", "at", "claims" FROM stated WHERE ${KEPT} ORDER BY "claimsDigest" ON CONFLICT DO NOTHING
  ), arguments AS (
    INSERT INTO execution_body ("callId", "callAt", "part", "text", "digest", "sha256", "bytes", "key")
    SELECT "callId", "at", 'arguments', "text", "digest", "sha256", "bytes", "key"
    FROM stated WHERE ${KEPT} AND "commitment" IS NOT NULL
  ), said AS (
    INSERT INTO audit_event ("at", "kind", "actor", "role", "action", "target")
    SELECT now(), kind, actor, role, 'executions.erased', "callId" FROM erased
  )`;

/**
 * The result of a call whose bodies were erased before it ended is not stored. A scalar subquery for the index, as in
 * `preconditionsRead`.
 */
const INSERT_OUTCOME = `outcome AS (
    INSERT INTO execution_outcome ("callId", "callAt", "at", "status", "code", "reason", "error", "stateAfter", "attempts",
      "gatewayMs", "upstreamMs", "empty", "raised", "resultCommitment")
    SELECT "callId", "callAt", "at", "status", "code", "reason", "error", "stateAfter", "attempts",
      "gatewayMs", "upstreamMs", "empty", "raised", "commitment"
    FROM ended
  ), result AS (
    INSERT INTO execution_body ("callId", "callAt", "part", "text", "digest", "sha256", "bytes", "key")
    SELECT "callId", "callAt", 'result', "text", "digest", "sha256", "bytes", "key" FROM ended WHERE "commitment" IS NOT NULL
      AND COALESCE((SELECT false FROM audit_event WHERE target = ended."callId" AND action = 'executions.erased' LIMIT 1), true)
  )`;

const WRITTEN = `SELECT "callId", "currentRevision" AS "revision", "keyGood", "sessionCurrent", "labelsCurrent", "sessionFree", ${CURRENT} AS "written" FROM stated`;

const BODY_COLUMNS = `"commitment" text, "text" text, "digest" text, "sha256" text, "bytes" int, "key" bytea`;

/**
 * Reads for each call the present revision, and whether its key is valid and its session unchanged. Scalar subqueries make
 * Postgres use an index per row; for an EXISTS it may choose a full table scan and keep that plan.
 */
const preconditionsRead = (
  labelsCurrent: string,
): string => `SELECT asked.*, COALESCE((SELECT revision FROM config_state WHERE id = 1), 0) AS "currentRevision",
        asked."keyId" IS NULL OR COALESCE((
          SELECT true FROM api_key WHERE agent = asked."keyAgent" AND enabled AND "expiresAt" > now()
            AND (api_key."keyId" = asked."keyId"
              OR (api_key."previousKeyId" = asked."keyId" AND "previousUntil" > now())) LIMIT 1), false) AS "keyGood",
        asked."basisSession" IS NULL OR COALESCE((
          SELECT version = asked."basisVersion" FROM agent_session WHERE id = asked."basisSession"), false) AS "sessionCurrent",
        ${labelsCurrent} AS "labelsCurrent"
      FROM json_to_recordset($1::json) AS asked (
        "callId" text, "instance" text, "requestId" text, "at" timestamptz, "door" text, "issuer" text, "subject" text,
        "agent" text, "client" text, "claimsDigest" text, "claims" text, "toolId" text, "source" text, "asked" text, "definitionHash" text,
        "policies" text[], "groups" text[], "revision" int, "session" text, "stateBefore" text, "mode" text,
        "request" jsonb, "argumentsDigest" text, "parent" text, "traceId" text, ${BODY_COLUMNS},
        "basisRevision" int, "keyId" text, "keyAgent" text, "basisSession" text, "basisVersion" int,
        "holder" text, "holdInstance" text, "holdSeconds" int,
        "labelIssuer" text, "labelSubject" text, "labelSession" text, "basisLabels" text[], "raises" json)`;

const READ = preconditionsRead("true");

/** The read of a call with labels: also whether the run still holds exactly the labels of the decision. */
const READ_LABELS = preconditionsRead(`asked."basisLabels" IS NULL OR asked."basisLabels" = ARRAY(
          SELECT DISTINCT label COLLATE "C" FROM held_label WHERE issuer = asked."labelIssuer" AND subject = asked."labelSubject"
            AND session IN ('', asked."labelSession") AND ("until" IS NULL OR "until" > now()) ORDER BY 1)`);

/** Condition on a row of `agent_session`: no call holds it. A hold ends with its outcome, its time or its process. */
export const FREE = `("holder" IS NULL OR "heldUntil" <= now()
  OR NOT EXISTS (SELECT FROM instance WHERE instance.id = agent_session."heldBy"))`;

/**
 * The variant that takes the hold of each free session, for one call per session. `FOR UPDATE` reads the present row,
 * not the snapshot. A row that another transaction locks counts as held, so these statements never wait or deadlock.
 */
const holding = (source: string): string => `read AS MATERIALIZED (${source}), free AS MATERIALIZED (
      SELECT id, version, CASE WHEN NOT ${FREE} THEN "holder" END AS "heldFor" FROM agent_session
      WHERE id = ANY (ARRAY(SELECT "basisSession" FROM read WHERE "holder" IS NOT NULL AND ${UNCHANGED}))
      FOR UPDATE SKIP LOCKED
    ), held AS (
      UPDATE agent_session
      SET "holder" = turn."holder", "heldBy" = turn."holdInstance", "heldUntil" = now() + make_interval(secs => turn."holdSeconds")
      FROM (
        SELECT DISTINCT ON (id) id, read.* FROM read JOIN free ON id = "basisSession" AND version = "basisVersion"
        WHERE "holder" IS NOT NULL AND ${UNCHANGED} AND ("heldFor" IS NULL OR "heldFor" = "holder")
        ORDER BY id, "holder"
      ) turn
      WHERE agent_session.id = turn.id RETURNING turn."holder" AS holder
    ), stated AS MATERIALIZED (
      SELECT *, "holder" IS NULL OR "holder" IN (SELECT holder FROM held) AS "sessionFree" FROM read
    )`;

const plain = (read: string): string => `stated AS MATERIALIZED (SELECT *, true AS "sessionFree" FROM (${read}) read)`;

/** Stores the labels that the calls raise. */
const RAISED = `raised AS (${raiseFrom(`
    SELECT DISTINCT ON ("labelIssuer", "labelSubject", raise."session", raise."label")
      "labelIssuer", "labelSubject", raise."session", raise."label", raise."callId", raise."toolId", raise."at", raise."until"
    FROM stated, json_to_recordset(stated."raises") AS raise (${RAISE_COLUMNS})
    WHERE ${CURRENT} ORDER BY 1, 2, 3, 4, raise."until" DESC, raise."at" DESC`)})`;

/** Reads outcomes from the JSON parameter `place`. */
const endedRows = (place: "$1" | "$2"): string =>
  `json_to_recordset(${place}::json) AS ended (
      "callId" text, "callAt" timestamptz, "at" timestamptz, "status" text, "code" text, "reason" text, "error" jsonb,
      "stateAfter" text, "attempts" int, "gatewayMs" float8, "upstreamMs" float8, "empty" boolean, "raised" jsonb,
      "labelIssuer" text, "labelSubject" text, "raises" json, ${BODY_COLUMNS})`;

const PRECONDITIONS: Readonly<Record<Variant, string>> = {
  plain: `WITH ${plain(READ)} ${WRITTEN}`,
  holding: `WITH ${holding(READ)} ${WRITTEN}`,
  plainLabels: `WITH ${plain(READ_LABELS)}, ${RAISED} ${WRITTEN}`,
  holdingLabels: `WITH ${holding(READ_LABELS)}, ${RAISED} ${WRITTEN}`,
};

const INTENT: Readonly<Record<Variant, string>> = {
  plain: `WITH ${plain(READ)}, ${INSERT_INTENT} ${WRITTEN}`,
  holding: `WITH ${holding(READ)}, ${INSERT_INTENT} ${WRITTEN}`,
  plainLabels: `WITH ${plain(READ_LABELS)}, ${INSERT_INTENT}, ${RAISED} ${WRITTEN}`,
  holdingLabels: `WITH ${holding(READ_LABELS)}, ${INSERT_INTENT}, ${RAISED} ${WRITTEN}`,
};

const refusal = (source: string): string => `WITH ${plain(source)}, ${INSERT_INTENT}, ended AS (
      SELECT ended.* FROM ${endedRows("$2")} JOIN stated USING ("callId") WHERE ${CURRENT}
    ), ${INSERT_OUTCOME} ${WRITTEN}`;

const REFUSAL = { plain: refusal(READ), labels: refusal(READ_LABELS) };

/** Stores the labels of results whose holders no longer hold them. */
const RAISED_AGAIN = `raised AS (${raiseFrom(`
    SELECT DISTINCT ON ("labelIssuer", "labelSubject", raise."session", raise."label")
      "labelIssuer", "labelSubject", raise."session", raise."label", raise."callId", raise."toolId", raise."at", raise."until"
    FROM ended, json_to_recordset(ended."raises") AS raise (${RAISE_COLUMNS})
    WHERE NOT EXISTS (
      SELECT FROM held_label WHERE issuer = "labelIssuer" AND subject = "labelSubject" AND held_label.session = raise."session"
        AND held_label.label = raise."label" AND (held_label."until" IS NULL OR held_label."until" > now()))
    ORDER BY 1, 2, 3, 4, raise."until" DESC, raise."at" DESC`)})`;

const outcome = (raised: string): string => `WITH ended AS (
      SELECT ended.* FROM ${endedRows("$1")}
      CROSS JOIN LATERAL (SELECT FROM execution WHERE "callId" = ended."callId" AND "at" = ended."callAt" LIMIT 1) intent
    ), ${INSERT_OUTCOME}${raised} SELECT "callId" FROM ended`;

const OUTCOME = { plain: outcome(""), labels: outcome(`, ${RAISED_AGAIN}`) };

function intentRow({ intent, preconditions }: Stated): object {
  const { key, session, labels } = preconditions;
  const made = {
    basisRevision: preconditions.revision,
    keyId: key?.id,
    keyAgent: key?.agent,
    basisSession: session?.id,
    basisVersion: session?.version,
    holder: session?.hold?.callId,
    holdInstance: session?.hold?.instance,
    holdSeconds: session?.hold?.seconds,
    ...(labels !== null && {
      labelIssuer: labels.issuer,
      labelSubject: labels.subject,
      labelSession: labels.sessionId ?? "",
      basisLabels: labels.held,
      raises: labels.raises,
    }),
  };
  if (intent === null) return made;
  const { claims, arguments: body, ...columns } = intent;
  return { ...columns, claimsDigest: claims.digest, claims: claims.ciphertext, ...bodyColumns(body), ...made };
}

function outcomeRow({ result, error, raisesAgain, ...columns }: Outcome): object {
  const labels = raisesAgain && {
    labelIssuer: raisesAgain.issuer,
    labelSubject: raisesAgain.subject,
    raises: raisesAgain.raises,
  };
  return { ...columns, ...(error !== null && { error }), ...labels, ...bodyColumns(result) };
}

function bodyColumns(body: StoredBody | null): object {
  if (body === null) return {};
  const { text, digest, commitment, cut, key } = body;
  return { commitment, text, digest, ...cut, key: `\\x${Buffer.from(key).toString("hex")}` };
}
