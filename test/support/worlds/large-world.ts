import { NO_TOOL_LIMITS } from "@/lib/resources/parts/no-limits";
import type { TestDatabase } from "@/test/support/database";

/** How much an installation holds; what grows with its calls is a tenth of them, and a page of a list at least. */
export interface WorldSize {
  readonly tools: number;
  readonly executions: number;
}

/** The size that the lists' promises are stated for. */
export const LARGE: WorldSize = { tools: 10_000, executions: 100_000 };
/** The world for comparison. Its pages are full too, so that rows cost the same. */
export const SMALL: WorldSize = { tools: 100, executions: 100 };
/** Most runs of VACUUM: on a busy machine, one transaction after another hides rows from it. */
const MAX_VACUUMS = 40;
/** Rows that fill every list's first page. */
const FULL_PAGE = 100;

/** Ids of which every size has some rows, for filters. */
export const IN_THE_WORLD = {
  source: "source-3",
  tool: "source-3:operation_000003",
  agent: "agent-3",
  subject: "subject-3",
  person: "person-3",
  session: "session-3",
  traceId: "00000000000000000000000000000003",
  webhook: "desk",
  revision: "3",
} as const;

/**
 * Fills a migrated, empty database past the code under test, in seconds. Values repeat as they do in life: 50 sources and
 * agents, few outcomes, most calls that succeed, times that grow with the numbers.
 */
export async function fillWorld({ query }: Pick<TestDatabase, "query">, size: WorldSize): Promise<void> {
  for (const statement of statementsFor(size)) await query(statement);
  // As autovacuum leaves filled tables: with statistics and a visibility map. While another database opens a connection,
  // VACUUM may leave rows unmarked, and the planner then avoids the indexes.
  for (let tries = 0; tries < MAX_VACUUMS; tries += 1) {
    await query("vacuum analyze");
    const unmarked = await query(
      "select from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relallvisible < relpages",
    );
    if (unmarked.length === 0) return;
    await query("select pg_sleep(0.1)");
  }
  throw new Error(`VACUUM left rows unmarked ${MAX_VACUUMS} times.`);
}

function* statementsFor({ tools, executions }: WorldSize): Generator<string> {
  const others = Math.max(FULL_PAGE, Math.ceil(executions / 10));
  const now = new Date().toISOString();
  const at = (rows: number) => `timestamptz '${now}' - interval '20 days' + (n * interval '20 days' / ${rows})`;
  const meta = (rows: number) => `1, ${at(rows)}, ${at(rows)}`;
  yield `insert into source (name, kind, auth, limits, revision, "createdAt", "updatedAt")
    select 'source-' || n, 'openapi', '{"mode": "none"}', '{}', ${meta(50)} from generate_series(0, 49) n`;
  yield `insert into tool (id, source, operation, name, description, category, "inputSchema", annotations, path, method, tags,
      labels, groups, "requiredCapabilities", "hasSideEffects", enabled, status, limits, "requiresApproval", "requiredScopes",
      "flowGuess", "definitionHash", revision, "createdAt", "updatedAt")
    select 'source-' || n % 50 || ':' || operation, 'source-' || n % 50, operation, operation,
      'Does the work of operation ' || n || ', and says what came of it.', 'category-' || n % 20,
      '{"type": "object", "properties": {"id": {"type": "string"}, "amount": {"type": "number"}}, "required": ["id"]}',
      '{}', '/things/' || n, case when n % 3 = 0 then 'GET' else 'POST' end, array['tag-' || n % 100], array['label-' || n % 100],
      case when n % 5 = 0 then null else jsonb_build_array('group-' || n % 100) end, array['capability-' || n % 100],
      n % 3 > 0, n % 20 > 0, case when n % 50 = 3 then 'quarantined' else 'active' end, '${JSON.stringify(NO_TOOL_LIMITS)}', n % 40 = 3, '{}',
      case when n % 50 = 3 then '[{"kind": "is", "word": "outward", "from": "no annotations"}]'::jsonb end,
      md5(n::text), ${meta(tools)}
    from (select n, 'operation_' || lpad(n::text, 6, '0') as operation from generate_series(0, ${tools - 1}) n) numbered`;
  yield `insert into person (id, name, email, role, "displayName", "createdAt", "updatedAt", revision)
    select md5(n::text)::uuid, 'person-' || n, 'person-' || n || '@example.com', 'auditor', '', ${at(others)}, ${at(others)}, 1
    from generate_series(0, ${others - 1}) n`;
  yield `insert into linked_account (id, "personId", source, origin, issuer, scope, "linkedAt")
    select md5('link-' || n)::uuid, md5(n::text)::uuid, 'source-' || n % 50, 'https://api.example', 'https://login.example', 'mail:read', ${at(others)}
    from generate_series(0, ${others - 1}) n`;
  yield `insert into execution ("callId", instance, "requestId", at, door, issuer, subject, agent, "claimsDigest", "toolId", source,
      asked, policies, groups, revision, session, request, parent, "traceId")
    select 'call-' || n, 'instance', 'request-' || n, ${at(executions)}, 'rest', 'quartermaster', 'subject-' || n % 1000,
      'agent-' || n % 50, 'digest-' || n % 50, tool, split_part(tool, ':', 1), tool, array['policy-' || n % 20],
      array['group-' || n % 100], n * 100 / ${executions}, 'session-' || n / 10, '{}', case when n % 100 = 7 then 'call-' || n - 1 end,
      lpad(to_hex(n / 5), 32, '0')
    from (select n, 'source-' || n % 50 || ':operation_' || lpad((n % ${tools})::text, 6, '0') as tool
      from generate_series(0, ${executions - 1}) n) numbered`;
  yield `insert into execution_outcome ("callId", "callAt", at, status, code, reason, attempts, "gatewayMs", "upstreamMs", empty)
    select 'call-' || n, ${at(executions)}, ${at(executions)} + interval '1 second', status, code,
      case when status = 'denied' then case when n % 100 = 3 then 'state_mismatch' else 'no_policy_grant' end end,
      1, 2.5, 40, false
    from (select n, case when n % 50 = 3 then 'denied' when n % 50 = 4 then 'failed' else 'succeeded' end as status,
        case when n % 50 = 3 then 'tool_not_available' when n % 50 = 4 then 'upstream_error' end as code
      from generate_series(0, ${executions - 1}) n where n % 1000 <> 999 and n < ${executions} - 3) ended`;
  yield `insert into approval ("callId", status, at, "closesAt", issuer, subject, agent, "toolId", "definitionHash", "argumentsDigest",
      "decidedBy")
    select 'call-' || n * 10 + 9, case when n % 100 = 99 then 'waiting' when n % 3 = 0 then 'refused' else 'approved' end, ${at(others)},
      case when n % 100 = 99 then now() else ${at(others)} end + interval '1 hour', 'quartermaster', 'subject-' || n % 1000, 'agent-' || n % 50,
      'source-' || n % 50 || ':operation_' || lpad((n % ${tools})::text, 6, '0'), md5(n::text), 'digest', 'editor-' || n % 10
    from generate_series(0, ${others - 1}) n`;
  yield `insert into agent_session (id, issuer, subject, agent, "group", state, intent, confidence, escalated, calls, "createdAt",
      "lastUsedAt", "expiresAt")
    select 'session-' || n, 'quartermaster', 'subject-' || n % 1000, 'agent-' || n % 50, '["default"]',
      case when n % 20 = 3 then 'investigating' else 'undefined' end, null, null, n % 50 = 3, n % 30, ${at(others)},
      ${at(others)} + interval '1 hour', ${at(others)} + interval '1 day'
    from generate_series(0, ${others - 1}) n`;
  yield `insert into revision (number, at, kind, actor, role)
    select n, ${at(others)}, 'user', 'editor-' || n % 10, 'editor' from generate_series(1, ${others}) n`;
  yield `insert into change (revision, at, kind, actor, role, resource, "rowId", action, before, after)
    select n, ${at(others)}, 'user', 'editor-' || n % 10, 'editor',
      case when n % 100 = 3 then 'policies' when n % 3 = 0 then 'groups' else 'tools' end, 'row-' || n % 500,
      case when n % 10 = 3 then 'create' when n % 100 = 7 then 'delete' else 'update' end, filler, filler
    from generate_series(1, ${others}) n, (select jsonb_build_object('description', repeat('as before ', 60)) as filler) rows`;
  yield `insert into webhook (name, url, events, "lastFour", ciphertext, revision, "createdAt", "updatedAt")
    select name, 'https://hooks.example/' || name, '{}', 'abcd', 'sealed', 1, now(), now() from unnest(array['desk', 'night']) name`;
  yield `insert into delivery (id, type, webhook, origin, "callId", status, tries, at)
    select 'delivery-' || n, case when n % 20 = 3 then 'approval.waiting' else 'drift.found' end,
      case when n % 10 = 3 then 'desk' else 'night' end, 'https://hooks.example', 'call-' || n,
      case when n % 50 = 3 then 'failed' when n % 100 = 7 then 'pending' else 'delivered' end, 1, ${at(others)}
    from generate_series(0, ${others - 1}) n`;
  yield `insert into drift (id, source, kind, severity, since, "rejectedBy", revision, "createdAt", "updatedAt")
    select id, source, case when n % 3 = 0 then 'removed' else 'changed' end, case when n % 20 = 3 then 'high' else 'low' end,
      ${at(tools)}, case when n % 10 = 3 then 'editor-1' end, 1, now(), now()
    from (select id, source, row_number() over (order by id) as n from tool) numbered`;
  yield `insert into audit_event (at, kind, actor, role, action, target)
    select ${at(others)}, 'user', 'auditor-' || n % 10, 'auditor', case when n % 50 = 3 then 'refused.forbidden'
      when n % 100 = 7 then 'executions.exported' else 'executions.bodies' end, 'call-' || n from generate_series(0, ${others - 1}) n`;
}
