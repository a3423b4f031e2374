import { beforeAll, describe, expect, it, vi } from "vitest";
import { GET as list } from "@/app/api/admin/rightsizing/route";
import { GET as read } from "@/app/api/admin/rightsizing/[name]/route";
import type { RightsizingDetail, RightsizingPage } from "@/lib/contracts/decisions/rightsizing";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { fillRightsizing, SHARED } from "@/test/support/worlds/rightsizing-world";
import { sentBy, type Statement } from "@/test/support/statements";

// Rightsizing reads counted use by index, and never the log, however many calls there are.

const database = useDatabase();

/** Tables that grow with calls. */
const GROWING = /Seq Scan on (?:execution|usage_day|usage_caller)\b/;

async function wholeReads({ text, values }: Statement): Promise<string[]> {
  if (!/^\s*(?:select|with)\b/i.test(text)) return [];
  const plan = await database.query<{ "QUERY PLAN": string }>(`explain ${text}`, values);
  return plan
    .map((row) => row["QUERY PLAN"])
    .filter((line) => GROWING.test(line) || /on execution(?:_\d|\b(?!_claims))/.test(line));
}

beforeAll(() => fillRightsizing(database, { policies: 100, callers: 1_000, toolsEach: 60 }), 120_000);

describe("with 60,000 callers and tools", () => {
  it("the list reads no table that grows with calls from end to end", async () => {
    const statements = await sentBy(async () => {
      const { json } = await ask<RightsizingPage>(list, "GET", "/api/admin/rightsizing");
      expect(json.total).toBe(100);
      expect(json.items.find(({ policy }) => policy === SHARED)).toMatchObject({ granted: 110, used: 60, unused: 50 });
    });
    expect(statements.length).toBeGreaterThan(3);
    for (const statement of statements) expect.soft(await wholeReads(statement), statement.text).toEqual([]);
  });

  it("a policy's candidates are replayed with progress, from counted use alone", async () => {
    const seen = new Set<string>();
    const detail = async () => {
      const { json } = await ask<RightsizingDetail>(read, "GET", "/api/admin/rightsizing/policy-7", {
        params: { name: "policy-7" },
      });
      seen.add(json.replay.state);
      return json;
    };
    const statements = await sentBy(() =>
      vi.waitFor(async () => expect((await detail()).replay.state).toBe("done"), { timeout: 60_000, interval: 50 }),
    );
    const { candidates } = await detail();
    expect(candidates.map(({ kind }) => kind)).toEqual(["exclude_tools", "own_group", "rest_on_request"]);
    for (const { calls, same, notJudged } of candidates) expect([same, notJudged]).toEqual([calls, 0]);
    expect(seen).toContain("running");
    for (const statement of statements) expect.soft(await wholeReads(statement), statement.text).toEqual([]);
  }, 90_000);
});
