import { beforeAll, describe, expect, it } from "vitest";
import { GET } from "@/app/api/admin/findings/route";
import { POST as tryTool } from "@/app/api/admin/tools/[id]/try/route";
import { findingsOutput, type FindingsOutput } from "@/lib/contracts/decisions/finding";
import { loadRecentCallers } from "@/lib/store/log/recent-calls";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

const contains = (value: string) => [{ claim: "team", operator: "contains", value }];

const rowsOf = (section: unknown) => section as readonly object[];

beforeAll(async () => {
  const document = supportDocument();
  await save({
    ...document,
    groups: [...rowsOf(document["groups"]), { name: "empty" }],
    policies: [
      ...rowsOf(document["policies"]),
      { name: "wide", everyone: true, groups: ["empty"] },
      { name: "narrow", matchers: contains("a"), groups: ["empty"] },
      { name: "nobody", matchers: [...contains("a"), { claim: "team", operator: "not_exists" }], groups: ["empty"] },
    ],
  });
});

async function findings(search = ""): Promise<FindingsOutput> {
  const answer = await ask(GET, "GET", `/api/admin/findings${search}`, { role: "auditor" });
  expect(answer).toMatchObject({ status: 200 });
  return findingsOutput.parse(answer.json);
}

describe("the findings of the configuration", () => {
  it("name each mistake, with claims for which the resolver confirms it", async () => {
    const { items } = await findings("?about=policy&name=narrow&kind=redundant");
    expect(items).toEqual([
      expect.objectContaining({
        id: "redundant/policy/narrow/wide",
        severity: "warning",
        refs: [{ kind: "policy", name: "wide" }],
        witness: expect.objectContaining({ claims: { team: "a" } }),
      }),
    ]);
    expect(items[0]?.witness?.matched).toEqual(expect.arrayContaining(["narrow", "wide"]));
    expect((await findings("?kind=never_matches")).items.map(({ about }) => about.name)).toEqual(["nobody"]);
  });

  it("are counted by kind under the other filters, and paged to the end", async () => {
    const all = await findings();
    expect(all.counts).toMatchObject({ never_matches: 1, redundant: 1, group_selects_nothing: 2 });
    const walked: string[] = [];
    let cursor: string | null = "0";
    while (cursor !== null) {
      const page: FindingsOutput = await findings(`?limit=3&cursor=${cursor}`);
      expect(page.total).toBe(all.total);
      walked.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(walked).toEqual(all.items.map(({ id }) => id));
    expect(new Set(walked).size).toBe(walked.length);
    expect(await findings("?id=redundant/policy/narrow/wide")).toMatchObject({
      total: 1,
      items: [{ kind: "redundant" }],
    });
    expect(await findings("?q=MATCHES+no+caller")).toMatchObject({ total: 1, counts: { never_matches: 1 } });
  });

  it("are counted by severity under all filters", async () => {
    const { severities, total } = await findings();
    expect(severities["error"]! + severities["warning"]! + (severities["info"] ?? 0)).toBe(total);
    expect((await findings("?kind=redundant")).severities).toEqual({ warning: 1 });
    const errors = await findings("?severity=error&limit=1");
    expect(errors.severities).toEqual({ error: errors.total });
  });

  it("follow the configuration: a mended policy causes no finding", async () => {
    const document = supportDocument();
    const before = await findings();
    await save(document);
    const after = await findings();
    expect(after.revision).toBeGreaterThan(before.revision);
    expect(after.counts.never_matches).toBeUndefined();
  });

  it("refuse an unknown filter, and callers without a sign-in", async () => {
    const bad = await ask(GET, "GET", "/api/admin/findings?kind=typo");
    expect(bad).toMatchObject({ status: 400 });
    expect(bad.json.errors.map(({ path }) => path)).toEqual(["kind"]);
    const stranger = await GET(new Request("http://127.0.0.1:3000/api/admin/findings"));
    expect(stranger.status).toBe(401);
  });
});

describe("the claims that recent callers carried", () => {
  it("read one log entry per distinct caller, and never expose claims", async () => {
    const client = new Client(await keyOf("reader"));
    for (let n = 0; n < 2; n += 1)
      await client.call({ tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } });
    const callers = await loadRecentCallers();
    expect(callers).toHaveLength(1);
    expect(callers[0]?.claims).toMatchObject({ sub: "reader" });
    const answer = await findings();
    expect(answer.callers).toBe(1);
    // One caller says nothing about what callers carry.
    expect(answer.counts.claim_never_carried).toBeUndefined();
  });
});

it("an agent whose tools only people tried has made no call", async () => {
  await save(supportDocument());
  await database.query(`update agent set "createdAt" = now() - interval '100 days'`);
  const body = { agent: "refunder", arguments: { expression: "1 + 1" } };
  const params = { id: "builtin:calculate" };
  const tried = await ask(tryTool, "POST", "/api/admin/tools/builtin:calculate/try", { params, body, role: "editor" });
  expect(tried).toMatchObject({ status: 200 });
  const { items } = await findings("?kind=agent_idle");
  expect(items.map(({ about }) => about.name)).toContain("refunder");
});
