import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { env } from "@/lib/env";
import { eraseBodies } from "@/lib/store/audit/erasures";
import { bulkDb } from "@/lib/store/db/database";
import { readUsesOf } from "@/lib/store/usage/read";
import { dropUsage, sweepUsage } from "@/lib/store/usage/remove";
import { rollUpUsage } from "@/lib/store/usage/rollup";
import { ADMIN } from "@/test/api/agents-world";
import { countUse, sealAll } from "@/test/support/count-use";
import { useDatabase } from "@/test/support/database";

// Use is counted from sealed calls: each once, even when the counting process is killed.

const database = useDatabase();

/** Calls of 5 agents through 3 policies and 2 groups, in several transactions. Every tenth is refused, every eleventh is a trial. */
async function addCalls(first: number, count: number): Promise<void> {
  await database.query(
    `insert into execution ("callId", instance, "requestId", at, door, issuer, subject, agent, "claimsDigest", "toolId", source,
        asked, policies, groups, revision, mode, request)
      select 'call_' || n, 'instance', 'request', now() - (n % 5) * interval '1 day', case when n % 11 = 0 then 'try' else 'rest' end,
        'quartermaster', 'agent-' || n % 5, 'agent-' || n % 5, 'digest-' || n % 5, 'shop:tool-' || n % 7, 'shop', 'tool',
        case when n % 4 = 0 then array['p' || n % 3] else array['p' || n % 3, 'every'] end, array['g' || n % 2], 1, 'full',
        jsonb_build_object('group', null, 'confidence', case when n % 2 = 0 then 0.801 + n % 9 / 1000.0 end)
      from generate_series($1::int, $2::int) n`,
    [first, first + count - 1],
  );
  await database.query(
    `insert into execution_outcome ("callId", "callAt", at, status, attempts, empty)
      select "callId", at, at, case when substr("callId", 6)::int % 10 = 0 then 'denied' else 'succeeded' end, 1, false
      from execution where substr("callId", 6)::int between $1 and $2`,
    [first, first + count - 1],
  );
}

/** What the tables must hold, counted from the log itself. */
const counted = () =>
  database.query<{ policy: string; group: string; tool: string; calls: number }>(
    `select policy, "group", tool, calls::int from (
       select '' as policy, '' as "group", "toolId" as tool, count(*) as calls from calls group by "toolId"
       union all
       select policy, "group", "toolId", count(*) from calls, unnest(policies) policy, unnest(groups) "group" group by 1, 2, 3
     ) each order by policy, "group", tool`.replaceAll(
      "from calls",
      `from (select execution.* from execution join execution_outcome using ("callId")
        where status <> 'denied' and door = 'rest') calls`,
    ),
  );
const rolledUp = () =>
  database.query(
    `select policy, "group", tool, sum(calls)::int as calls from usage_day group by 1, 2, 3 order by policy, "group", tool`,
  );
const cursor = async () => {
  const [row] = await database.query<{ seal: number }>("select seal from usage_cursor");
  return row?.seal ?? 0;
};

async function startProcess() {
  const { DATABASE_URL, MASTER_KEY } = env;
  const child = spawn(process.execPath, ["--import", "tsx", "test/support/processes/usage-process.ts"], {
    env: { ...process.env, DATABASE_URL, MASTER_KEY },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

describe("use", () => {
  beforeAll(async () => {
    for (let first = 1; first <= 12_000; first += 500) await addCalls(first, 500);
    await sealAll(database);
  });

  it("is counted once per call although the counting process is killed again and again", async () => {
    const [{ last } = { last: 0 }] = await database.query<{ last: number }>("select max(number) as last from seal");
    expect(last).toBeGreaterThan(8);
    // Each process is killed right after it has finished a seal, so it is within the next one.
    for (const after of [1, 4]) {
      const child = await startProcess();
      try {
        await vi.waitFor(async () => expect(await cursor()).toBeGreaterThanOrEqual(after), {
          timeout: 30_000,
          interval: 5,
        });
      } finally {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    }
    await rollUpUsage();
    expect(await cursor()).toBe(last);
    expect(await rolledUp()).toEqual(await counted());
  }, 90_000);

  it("is not counted again by another run", async () => {
    const before = await rolledUp();
    expect(await rollUpUsage()).toBe(0);
    expect(await rolledUp()).toEqual(before);
  });

  it("keeps one caller per set of claims and request (an even agent-0 is always refused), with the confidence in hundredths", async () => {
    const rows = await database.query<{ request: { confidence: number | null } }>("select request from usage_caller");
    expect(rows).toHaveLength(9);
    expect(new Set(rows.map(({ request }) => request.confidence))).toEqual(new Set([0.8, null]));
  });

  it("knows the last day of each tool through each policy and group", async () => {
    const rows = await database.query(
      `select policy, "group", tool, max(day) as "lastDay" from usage_day group by 1, 2, 3 order by 1, 2, 3`,
    );
    expect(await database.query('select * from usage_last order by policy, "group", tool')).toEqual(rows);
  });

  it("knows the last day of a policy's calls in every time zone", async () => {
    const [{ tool = "", day = "" } = {}] = await database.query<{ tool: string; day: string }>(
      `select tool, max(day)::text as day from usage_day where policy = '' group by tool order by 1 limit 1`,
    );
    const [{ policy = "" } = {}] = await database.query<{ policy: string }>(
      "select policy from usage_day where policy <> '' and tool = $1 limit 1",
      [tool],
    );
    vi.stubEnv("TZ", "Europe/Berlin");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { uses } = await readUsesOf(policy, [tool], "2000-01-01", 100);
    const days = uses.flatMap((use) => (use.tool === tool ? [use.lastDay] : [])).toSorted();
    expect(days.at(-1)).toBe(day);
  });

  it("is erased on its own, where nothing else is left of a caller, and that is recorded", async () => {
    await database.query(`insert into usage_caller select 'left', issuer, 'left', agent, "claimsDigest", request, "inSession",
      "lastDay" from usage_caller limit 1`);
    await database.query("insert into usage_day values ('p', 'g', 't', 'left', current_date, 1)");
    const erased = await eraseBodies({ actor: ADMIN, requestId: null }, { issuer: "quartermaster", subject: "left" });
    expect(erased).toMatchObject({ id: expect.stringMatching(/^era_/), calls: 0 });
    expect(await database.query("select from usage_day where caller = 'left'")).toEqual([]);
  });

  it("of an erased caller is gone, also where the roll-up comes after the erasure", async () => {
    await addCalls(20_001, 100);
    await database.query(`insert into execution_claims (digest, at, ciphertext) values ('digest-1', now(), 'sealed')`);
    await eraseBodies({ actor: ADMIN, requestId: null }, { issuer: "quartermaster", subject: "agent-1" });
    await countUse(database);
    const left = await database.query(`select distinct agent from usage_caller order by agent`);
    expect(left.map(({ agent }) => agent)).toEqual(["agent-0", "agent-2", "agent-3", "agent-4"]);
    const orphans = await database.query(`select from usage_day where caller not in (select caller from usage_caller)`);
    expect(orphans).toEqual([]);
  });

  it("leaves with its month, and after 400 days", async () => {
    const old = "insert into usage_day values ('p', 'g', 't', 'c', $1, 1)";
    await database.query(old, ["2020-01-05"]);
    await bulkDb().$transaction((tx) => dropUsage(tx, new Date("2020-02-01T00:00:00Z")));
    await database.query(old, ["2020-02-05"]);
    await sweepUsage();
    expect(await database.query("select from usage_day where day < '2021-01-01'")).toEqual([]);
    expect((await rolledUp()).length).toBeGreaterThan(0);
  });

  it("is counted from the rows of one seal, never from the whole log", async () => {
    const plans: string[] = [];
    await database.query("vacuum analyze");
    const [seal] = await database.query<{ number: number; fromXid: string; toXid: string }>(
      `select number, "fromXid", "toXid" from seal order by number offset 3 limit 1`,
    );
    const { ROLL_UP } = await import("@/lib/store/usage/rollup");
    for (const row of await database.query<{ "QUERY PLAN": string }>(`explain ${ROLL_UP}`, [
      seal?.number,
      seal?.fromXid,
      seal?.toXid,
    ]))
      plans.push(row["QUERY PLAN"]);
    expect(plans.filter((line) => /Seq Scan on execution/.test(line) && !line.includes("cost=0.00..0.00"))).toEqual([]);
  });
});
