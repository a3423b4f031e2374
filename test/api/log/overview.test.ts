import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as histogramRoute } from "@/app/api/admin/executions/histogram/route";
import { GET as overviewRoute } from "@/app/api/admin/overview/route";
import { executionHistogram, type ExecutionHistogram } from "@/lib/contracts/log/histogram";
import { overviewOutput, type OverviewOutput } from "@/lib/contracts/changes/overview";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const DAY = "from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z";

afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

async function overview(query: string): Promise<OverviewOutput> {
  const got = await ask(overviewRoute, "GET", `/api/admin/overview?${query}`, { role: "auditor" });
  expect([got.status, got.json.errors]).toEqual([200, undefined]);
  return overviewOutput.parse(got.json);
}

async function histogram(query: string): Promise<ExecutionHistogram> {
  const got = await ask(histogramRoute, "GET", `/api/admin/executions/histogram?${query}`, { role: "editor" });
  expect([got.status, got.json.errors]).toEqual([200, undefined]);
  return executionHistogram.parse(got.json);
}

test("an installation without a call says that it has none, in empty buckets", async () => {
  const got = await overview(DAY);
  expect(got.used).toBe(false);
  expect(got.total).toMatchObject({ calls: 0, denied: 0, taken: null });
  expect(got.buckets).toHaveLength(48);
  expect([got.refusals, got.sources]).toEqual([[], []]);
});

describe("of what is in the log", () => {
  beforeAll(async () => {
    // 1,000 calls, 30 s apart from midnight: every tenth refused, every tenth failed, one still runs.
    await database.query(`
      insert into execution ("callId", instance, "requestId", at, door, issuer, subject, agent, "claimsDigest", "toolId", source,
        asked, policies, groups, revision, request)
      select 'call-' || n, 'i', 'r', timestamptz '2026-11-01T00:00:00Z' + n * interval '30 seconds', 'rest', 'quartermaster',
        'bot', 'bot', 'd', 'shop:order_' || n % 2, case when n % 2 = 0 then 'shop' else 'desk' end, 'shop:order',
        case when n % 20 = 1 then array['suspended'] else '{}' end, '{}', 1, '{}'
      from generate_series(0, 999) n`);
    await database.query(`
      insert into execution_outcome ("callId", at, status, code, reason, attempts, "gatewayMs", "upstreamMs", empty)
      select 'call-' || n, timestamptz '2026-11-01T00:00:00Z' + n * interval '30 seconds',
        case n % 10 when 1 then 'denied' when 2 then 'failed' else 'succeeded' end, null,
        case when n % 20 = 1 then 'denied_by_policy' when n % 20 = 11 then 'no_policy_grant' end,
        case when n % 10 = 1 or n % 20 = 2 then 0 else 1 end, 2, case when n % 10 = 1 then null else n end, false
      from generate_series(0, 998) n`);
  });

  test("counts every call of the period once, in all and in its bucket", async () => {
    const got = await overview(DAY);
    const counts = { calls: 1000, succeeded: 799, failed: 100, denied: 100, cancelled: 0, open: 1 };
    expect(got.used).toBe(true);
    expect(got.total).toMatchObject(counts);
    for (const [field, count] of Object.entries(counts))
      expect(got.buckets.reduce((sum, bucket) => sum + bucket[field as "calls"], 0)).toBe(count);
    expect(got.buckets[0]).toMatchObject({ at: "2026-11-01T00:00:00.000Z", calls: 60, denied: 6, open: 0 });
    expect(got.buckets.at(-1)).toMatchObject({ at: "2026-11-01T23:30:00.000Z", calls: 0, gateway: null });
  });

  test("measures gateway, upstream and both apart, where there was something to measure", async () => {
    const { total } = await overview(DAY);
    expect(total.gateway).toEqual({ p50: 2, p95: 2, p99: 2 });
    expect(total.upstream?.p50).toBeGreaterThan(450);
    expect(total.taken?.p99).toBeGreaterThan(total.upstream?.p95 ?? Infinity);
    expect(total.taken?.p99).toBeLessThanOrEqual(1000);
  });

  test("names what refused most with the policy that took away, and the sources with their failures", async () => {
    const got = await overview(DAY);
    expect(got.refusals).toEqual([
      { reason: "denied_by_policy", policy: "suspended", calls: 50 },
      { reason: "no_policy_grant", policy: null, calls: 50 },
    ]);
    expect(got.sources).toMatchObject([
      // Of each 500, those that were sent: neither refused, nor failed before the first attempt, nor still running.
      { source: "shop", calls: 450, failed: 50, failedUpstream: 50 },
      { source: "desk", calls: 399, failed: 0, failedUpstream: 0 },
    ]);
  });

  test("counts no call outside its period", async () => {
    const got = await overview("from=2026-11-01T00:10:00Z&to=2026-11-01T00:20:00Z");
    expect([got.total.calls, got.stepMs, got.buckets.length]).toEqual([20, 10_000, 60]);
  });

  test("refuses a period that ends before it begins, one longer than the log, and unknown parameters", async () => {
    for (const [query, path] of [
      ["from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z", "from"],
      ["from=2020-11-02T00:00:00Z&to=2026-11-01T00:00:00Z", "from"],
      ["from=yesterday", "from"],
      ["colour=red", "colour"],
    ]) {
      const got = await ask(overviewRoute, "GET", `/api/admin/overview?${query}`);
      expect([query, got.status, got.json.errors?.[0]?.path]).toEqual([query, 400, path]);
    }
  });

  test("a histogram counts exactly the calls that match the log's filters", async () => {
    const all = await histogram(DAY);
    expect([all.stepMs, all.buckets.length]).toEqual([1_800_000, 48]);
    const total = (got: ExecutionHistogram) =>
      got.buckets.reduce(
        (sum, { succeeded, failed, denied, cancelled, open }) => sum + succeeded + failed + denied + cancelled + open,
        0,
      );
    expect(total(all)).toBe(1000);
    expect(total(await histogram(`${DAY}&status=denied`))).toBe(100);
    expect(total(await histogram(`${DAY}&status=running`))).toBe(1);
    expect(total(await histogram(`${DAY}&policy=suspended`))).toBe(50);
    expect(total(await histogram(`${DAY}&source=shop&reason=no_policy_grant`))).toBe(0);
    expect(total(await histogram(`${DAY}&q=${encodeURIComponent("shop:order_1")}`))).toBe(500);
    // A partial name is looked up in the catalogue, which lacks this tool.
    expect(total(await histogram(`${DAY}&q=order_1`))).toBe(0);
  });

  test("a histogram without a start begins with the first matching call within 30 days", async () => {
    const got = await histogram("to=2026-11-01T12:00:00Z&status=denied");
    expect(got.from).toBe("2026-11-01T00:00:30.000Z");
    expect(got.to).toBe("2026-11-01T12:00:00.000Z");
    expect((await histogram("to=2026-12-24T00:00:00Z")).from).toBe("2026-11-24T00:00:00.000Z");
  });

  test("a histogram refuses unknown filters by name", async () => {
    const got = await ask(histogramRoute, "GET", "/api/admin/executions/histogram?limit=5");
    expect([got.status, got.json.errors?.[0]?.path]).toEqual([400, "limit"]);
  });
});
