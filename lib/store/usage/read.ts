import { bulkDb, db, logRowsOf } from "@/lib/store/db/database";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import type { Actor } from "@/lib/store/save/change";
import { DEMO_NOTE, SETUP } from "@/lib/store/save/demo-mark";
import { DEMO_CALLER } from "@/lib/store/usage/demo-use";
import { Prisma } from "@/lib/store/generated/client";

/** A stored caller of the counted calls, without its claims. */
export interface StoredCaller {
  readonly caller: string;
  readonly issuer: string;
  readonly subject: string;
  readonly agent: string | null;
  readonly claimsDigest: string;
  readonly request: object;
  readonly inSession: boolean;
}

/** The calls of one tool by one caller within a window. */
export interface ToolUse {
  readonly caller: string;
  readonly tool: string;
  readonly calls: number;
  /** As `YYYY-MM-DD`: a driver may read a date as midnight of the process's time zone. */
  readonly lastDay: string;
}

/** A mark that a policy keeps an unused tool. */
export interface KeptTool {
  readonly policy: string;
  readonly tool: string;
  readonly reason: string;
  readonly by: string;
  readonly at: Date;
}

const COLUMNS = Prisma.sql`caller, issuer, subject, agent, "claimsDigest", request, "inSession"`;

/** The latest callers that called since a day (`YYYY-MM-DD`), at most `most`, of one agent or of all. @throws AppError `config_unavailable` */
export async function readUsageCallers(since: string, most: number, agent?: string): Promise<readonly StoredCaller[]> {
  const whose = agent === undefined ? Prisma.sql`TRUE` : Prisma.sql`agent = ${agent}`;
  return db().$queryRaw<StoredCaller[]>`
    SELECT ${COLUMNS} FROM usage_caller WHERE ${whose} AND "lastDay" >= ${since}::date
    ORDER BY "lastDay" DESC, caller LIMIT ${most}`;
}

/** Callers by id. @throws AppError `config_unavailable` */
export async function readCallersById(ids: readonly string[]): Promise<readonly StoredCaller[]> {
  return bulkDb().$queryRaw<StoredCaller[]>`SELECT ${COLUMNS} FROM usage_caller WHERE caller = ANY(${ids}::text[])`;
}

/** The tools that were called through each policy since a day. @throws AppError `config_unavailable` */
export async function readUsedTools(since: string, policy?: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const which = policy === undefined ? Prisma.sql`policy <> ''` : Prisma.sql`policy = ${policy}`;
  // As JSON: the driver reads arrays of text character by character.
  const rows = await db().$queryRaw<{ policy: string; tools: string[] }[]>`
    SELECT policy, json_agg(DISTINCT tool) AS tools FROM usage_last WHERE ${which} AND "lastDay" >= ${since}::date
    GROUP BY policy`;
  return new Map(rows.map((row) => [row.policy, new Set(row.tools)]));
}

/** The tools that an agent called since a day. @throws AppError `config_unavailable` */
export async function readToolsOfAgent(agent: string, since: string): Promise<readonly string[]> {
  const rows = await db().$queryRaw<{ tool: string }[]>`
    SELECT DISTINCT tool FROM usage_caller
    JOIN usage_day ON usage_day.caller = usage_caller.caller AND usage_day.policy = '' AND day >= ${since}::date
    WHERE agent = ${agent} AND "lastDay" >= ${since}::date`;
  return rows.map(({ tool }) => tool);
}

/** Who called which tool through a policy since a day, most calls first, and how many calls there were in all. */
interface PolicyUses {
  readonly uses: readonly ToolUse[];
  readonly total: number;
}

/**
 * The callers and tools of a policy's calls since a day, at most `most`. With `tools`, also every other caller of these
 * tools. Finds them by the indexes of `usage_day`, never in the log.
 */
export async function readUsesOf(
  policy: string,
  tools: readonly string[],
  since: string,
  most: number,
): Promise<PolicyUses> {
  const rows = await logRowsOf<ToolUse & { total: string }>(usesSql(policy, tools, since, most));
  return { uses: rows.map(({ total: _total, ...use }) => use), total: Number(rows[0]?.total ?? 0) };
}

/** The statement of `readUsesOf`. */
function usesSql(policy: string, tools: readonly string[], since: string, most: number): Prisma.Sql {
  return Prisma.sql`
    WITH used AS MATERIALIZED (
      SELECT tool, caller FROM usage_day WHERE policy = ${policy} AND day >= ${since}::date
      UNION
      SELECT tool, caller FROM usage_day
      WHERE policy = '' AND "group" = '' AND tool = ANY(${tools}::text[]) AND day >= ${since}::date
    )
    SELECT used.caller, used.tool, each.calls::int AS calls, each."lastDay", sum(each.calls) OVER () AS total
    FROM used CROSS JOIN LATERAL (
      SELECT sum(calls) AS calls, max(day)::text AS "lastDay" FROM usage_day
      WHERE policy = '' AND "group" = '' AND tool = used.tool AND caller = used.caller AND day >= ${since}::date) each
    WHERE each.calls IS NOT NULL
    ORDER BY each.calls DESC, used.tool, used.caller LIMIT ${most}`;
}

/** The first day with counted calls; `null` when none was counted. @throws AppError `config_unavailable` */
export async function readFirstDay(): Promise<string | null> {
  const [row] = await db().$queryRaw<{ day: Date }[]>`SELECT day FROM usage_day ORDER BY day LIMIT 1`;
  return row?.day.toISOString().slice(0, 10) ?? null;
}

/**
 * The policies and tools that were changed at or after a time: nothing is concluded about them. A demo row that nobody changed
 * does not count, because its made-up use begins before the installation. Nor does a policy or a tool of which only fields of
 * `HARMLESS` changed.
 *
 * @throws AppError `config_unavailable`
 */
export async function readChangedSince(
  since: Date,
): Promise<{ readonly policies: ReadonlySet<string>; readonly tools: ReadonlySet<string> }> {
  const [policies, tools] = await Promise.all([
    db().$queryRaw<{ id: string }[]>`
      SELECT policy.name AS id FROM policy LEFT JOIN ${changesOf("policies", since)} ON judged.id = policy.name
      WHERE "updatedAt" >= ${since} AND NOT ${isOfDemo(Prisma.sql`policy.revision`)} AND judged.counts IS NOT FALSE`,
    db().$queryRaw<{ id: string }[]>`
      SELECT tool.id FROM tool LEFT JOIN ${changesOf("tools", since)} ON judged.id = tool.id
      WHERE "updatedAt" >= ${since} AND NOT ${isOfDemo(Prisma.sql`tool.revision`)} AND judged.counts IS NOT FALSE`,
  ]);
  return { policies: new Set(policies.map(({ id }) => id)), tools: new Set(tools.map(({ id }) => id)) };
}

const isOfDemo = (revision: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT FROM revision WHERE number = ${revision} AND kind = ${SETUP.kind} AND actor = ${SETUP.name}
    AND note = ${DEMO_NOTE})`;

/**
 * By row id, whether a change since a time counts: it changed other fields than those of `HARMLESS`. A new id counts for the row
 * of either id, because the former use has the former id.
 */
function changesOf(resource: keyof typeof HARMLESS, since: Date): Prisma.Sql {
  const fields = HARMLESS[resource];
  // One pass, which reads the values only of updates, and the new id only of those that count: a tool has large schemas.
  return Prisma.sql`(
    SELECT id, bool_or(counts) AS counts FROM (
      SELECT "rowId" AS was, action, after, NOT ${isOfDemo(Prisma.sql`change.revision`)}
        AND (action <> 'update' OR before - ${fields}::text[] IS DISTINCT FROM after - ${fields}::text[]) AS counts
      FROM change WHERE resource = ${resource} AND at >= ${since} OFFSET 0
    ) one, unnest(CASE WHEN counts AND action = 'update'
      THEN ARRAY[was, coalesce(after->>'id', after->>'name')] ELSE ARRAY[was] END) AS id
    GROUP BY id) judged`;
}

/**
 * Fields that never change what a policy grants (docs/reference/decision.md#policy), and those that change neither who gets a
 * tool nor what its calls do.
 */
const HARMLESS = {
  policies: ["priority", "description"],
  tools: ["name", "displayName", "description", "guidance", "category", "version"],
};

/** Whether the counts since a day include the demo's made-up calls, of one agent or of all. @throws AppError `config_unavailable` */
export async function hasDemoUse(since: string, agent?: string): Promise<boolean> {
  const where = { caller: DEMO_CALLER, lastDay: { gte: new Date(since) }, ...(agent !== undefined && { agent }) };
  return (await db().usageCaller.count({ where })) > 0;
}

/** The marks of a policy, or of all. @throws AppError `config_unavailable` */
export async function readKept(policy?: string): Promise<readonly KeptTool[]> {
  return db().usageKeep.findMany({ where: policy === undefined ? {} : { policy } });
}

/**
 * Marks tools of a policy with a reason; without one, removes their marks. Each tool is one audit event.
 *
 * @throws AppError `config_unavailable`
 */
export async function markKept(
  policy: string,
  tools: readonly string[],
  { reason, actor, requestId, at }: Mark,
): Promise<void> {
  const action = reason === null ? "rightsizing.unmarked" : "rightsizing.kept";
  await db().$transaction(async (tx) => {
    await tx.usageKeep.deleteMany({ where: { policy, tool: { in: [...tools] } } });
    const by = actor.name;
    if (reason !== null)
      await tx.usageKeep.createMany({ data: tools.map((tool) => ({ policy, tool, reason, by, at })) });
    for (const tool of tools)
      await recordAuditEvent({ actor, action, target: tool, requestId, detail: policy }, tx, at);
  });
}

/** Who marks tools, why and when. */
interface Mark {
  /** `null` removes the marks. */
  readonly reason: string | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly at: Date;
}

/** Sources without a call since a day that are enabled and older, and enabled keys that were not used since. @throws AppError `config_unavailable` */
export async function readUnusedRows(
  since: Date,
): Promise<{ readonly sources: readonly string[]; readonly keys: readonly { name: string; agent: string }[] }> {
  const day = since.toISOString().slice(0, 10);
  const [sources, keys] = await Promise.all([
    db().$queryRaw<{ name: string }[]>`
      SELECT name FROM source WHERE enabled AND "createdAt" < ${since} AND kind <> 'builtin'
        AND EXISTS (SELECT FROM tool WHERE tool.source = source.name)
        AND name NOT IN (SELECT split_part(tool, ':', 1) FROM usage_last
          WHERE policy = '' AND "group" = '' AND "lastDay" >= ${day}::date)
      ORDER BY name`,
    db().$queryRaw<{ name: string; agent: string }[]>`
      SELECT api_key.name, api_key.agent FROM api_key JOIN agent ON agent.name = api_key.agent AND agent.enabled
      WHERE api_key.enabled AND api_key."createdAt" < ${since} AND api_key."expiresAt" > now()
        AND (api_key."lastUsedAt" IS NULL OR api_key."lastUsedAt" < ${since})
      ORDER BY api_key.name`,
  ]);
  return { sources: sources.map(({ name }) => name), keys };
}
