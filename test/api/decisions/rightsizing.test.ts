import { beforeAll, describe, expect, it, vi } from "vitest";
import { GET as agentUse } from "@/app/api/admin/agents/[name]/use/route";
import { PUT as applyDocument } from "@/app/api/admin/config/route";
import { GET as findings } from "@/app/api/admin/findings/route";
import { GET as list } from "@/app/api/admin/rightsizing/route";
import { GET as read } from "@/app/api/admin/rightsizing/[name]/route";
import { POST as draft } from "@/app/api/admin/rightsizing/[name]/draft/route";
import { PUT as keep } from "@/app/api/admin/rightsizing/[name]/keep/route";
import { firstDayOfWindow, reachIn } from "@/lib/admin/rightsizing/overview";
import { runOf } from "@/lib/admin/rightsizing/replay-run";
import type { CandidateDraft, RightsizingDetail, RightsizingPage } from "@/lib/contracts/decisions/rightsizing";
import { groupInput } from "@/lib/resources/group";
import { stores } from "@/lib/store/config/index";
import { rotateTokenKeys } from "@/lib/store/oauth/token-keys";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { countUse } from "@/test/support/count-use";
import { useDatabase } from "@/test/support/database";

// Rightsizing from real calls: what is granted, what is used, and smaller grants that keep the calls.

const database = useDatabase();
const POLICY = "support-staff";
const ACTOR = { kind: "system", name: "test", role: "admin" } as const;
const params = { name: POLICY };
const detail = () => ask<RightsizingDetail>(read, "GET", `/api/admin/rightsizing/${POLICY}?days=30`, { params });
/** The policy after its replay. */
const replayed = () =>
  vi.waitFor(async () => {
    const { json } = await detail();
    expect(json.replay.state).toBe("done");
    return json;
  }, 15_000);
const listed = async () => (await ask<RightsizingPage>(list, "GET", "/api/admin/rightsizing?days=30")).json;

beforeAll(async () => {
  await save(
    supportDocument({
      agents: [
        { name: "reader", attributes: { team: "support" } },
        { name: "second", attributes: { team: "support" } },
      ],
    }),
  );
  // Rules that were changed in the window are not judged.
  await database.query(`update policy set "updatedAt" = now() - interval '100 days'`);
  await database.query(`update tool set "updatedAt" = now() - interval '100 days'`);
  const [reader, second] = [new Client(await keyOf("reader")), new Client(await keyOf("second"))];
  const calculate = { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } };
  for (let count = 0; count < 3; count += 1) await reader.call(calculate);
  await second.call(calculate);
  await second.call({ tool_id: "support:search_knowledge", arguments: { query: "refund" } });
  await second.call({ tool_id: "nothing:here", arguments: {} });
  await countUse(database);
});

describe("rightsizing", () => {
  it("lists what a policy grants, what is used, and the tokens of the rest", async () => {
    const { items, since } = await listed();
    const row = items.find(({ policy }) => policy === POLICY);
    expect(row).toMatchObject({ callers: 2, used: 2, kept: 0, changed: false });
    expect(row?.unused).toBe((row?.granted ?? 0) - 2);
    expect(row?.tokens).toBeGreaterThan(100);
    expect(since).toBe(new Date().toISOString().slice(0, 10));
  });

  it("keeps the reach of a window for a minute, and no longer", async () => {
    const { index } = await currentSnapshot();
    const now = Date.now();
    const reachAt = (days: number, at: number) => reachIn(index, firstDayOfWindow(now, days), at);
    const first = await reachAt(40, now);
    expect(await reachAt(40, now + 59_999)).toBe(first);
    await reachAt(50, now + 60_000);
    // By an earlier clock the first entry would still be fresh.
    expect(await reachAt(40, now)).not.toBe(first);
  });

  it("replays each candidate in the background, and shows it with its result", async () => {
    const started = await detail();
    expect(started.json.replay.state).toMatch(/running|done/);
    const { candidates, tools } = await replayed();
    expect(candidates.map(({ kind }) => kind)).toEqual(["exclude_tools", "own_group", "rest_on_request"]);
    for (const candidate of candidates)
      expect(candidate).toMatchObject({ calls: 5, same: 5, notJudged: 0, exceptions: [], moreExceptions: 0 });
    expect(tools.find(({ tool }) => tool === "builtin:calculate")).toMatchObject({
      calls: 4,
      callers: 2,
      unused: false,
    });
  });

  it("ends a replay that nobody asks for any more", async () => {
    const now = Date.now();
    let at = now;
    const { run } = await runOf(POLICY, 60, () => at);
    at = now + 60_001;
    await vi.waitFor(async () => expect((await runOf(POLICY, 60, () => now)).run).not.toBe(run), 15_000);
    expect([run.result, run.failure]).toEqual([null, null]);
  });

  it("replays again after a change of a rule, and not after another revision", async () => {
    const { run, revision } = await runOf(POLICY, 60);
    await rotateTokenKeys();
    const after = await runOf(POLICY, 60);
    expect(after.revision).toBeGreaterThan(revision);
    expect(after.run).toBe(run);
    await stores.groups.create(ACTOR, groupInput.parse({ name: "another" }));
    expect((await runOf(POLICY, 60)).run).not.toBe(run);
  });

  it("judges a policy whose priority or description alone changed, and no other changed policy", async () => {
    await database.query(`update change set at = now() - interval '100 days'`);
    const {
      revision: _revision,
      createdAt: _created,
      updatedAt: _updated,
      ...policy
    } = await stores.policies.get(POLICY);
    const rowAfter = async (input: Partial<typeof policy>) => {
      await stores.policies.replace(ACTOR, POLICY, { ...policy, ...input }, "*");
      return (await listed()).items.find((row) => row.policy === POLICY);
    };
    const before = (await listed()).items.find((row) => row.policy === POLICY);
    expect(await rowAfter({ priority: 77, description: "Another one." })).toEqual(before);
    expect(await rowAfter({ validUntil: "2099-01-01T00:00:00Z" })).toMatchObject({ changed: true, unused: 0 });
    expect(await rowAfter({})).toMatchObject({ changed: true });
    await database.query(`update policy set "updatedAt" = now() - interval '100 days'`);
  });

  it("judges a tool whose texts alone changed, and no other changed tool", async () => {
    await database.query(`update change set at = now() - interval '100 days';
      update tool set "createdAt" = now() - interval '100 days'`);
    const before = (await replayed()).tools.find(({ unused }) => unused)!;
    const {
      revision: _revision,
      createdAt: _created,
      updatedAt: _updated,
      definitionHash: _hash,
      ...tool
    } = await stores.tools.get(before.tool);
    const unusedAfter = async (input: Partial<typeof tool>) => {
      await stores.tools.replace(ACTOR, tool.id, { ...tool, ...input }, "*");
      return (await replayed()).tools.find((one) => one.tool === tool.id)?.unused;
    };
    const texts = { name: "renamed", displayName: "Renamed", description: "Another one.", guidance: "g", version: "2" };
    expect(await unusedAfter({ ...texts, category: "other" })).toBe(true);
    expect(await unusedAfter({ longRunning: !tool.longRunning })).toBe(false);
    await stores.tools.replace(ACTOR, tool.id, tool, "*");
    await database.query(`update tool set "updatedAt" = now() - interval '100 days'`);
  });

  it("names the calls that a candidate would refuse", async () => {
    // Another policy grants the same group, and its caller uses a tool that nobody calls through this one.
    await database.query(
      `insert into usage_caller select 'other', issuer, 'second', agent, "claimsDigest", request, "inSession", "lastDay"
       from usage_caller where agent = 'second' limit 1`,
    );
    await database.query(
      `insert into usage_day values ('', '', 'builtin:generate_uuid', 'other', current_date, 7),
        ('another', 'helpers', 'builtin:generate_uuid', 'other', current_date, 7)`,
    );
    const { tools } = await replayed();
    const idle = tools.find(({ unused }) => unused)?.tool;
    await database.query(`update usage_day set tool = $1 where tool = 'builtin:generate_uuid'`, [idle]);
    await ask(keep, "PUT", `/api/admin/rightsizing/${POLICY}/keep`, {
      params,
      body: { tools: [tools.at(-1)?.tool], reason: "Needed at the end of the year" },
    });
    const { candidates } = await replayed();
    expect(candidates[0]).toMatchObject({
      calls: 12,
      same: 5,
      exceptions: [{ who: "second", tool: idle, calls: 7, change: "refused" }],
    });
  });

  it("is a finding, as are keys and sources that nobody uses", async () => {
    await keyOf("reader", "spare");
    await database.query(`update api_key set "createdAt" = now() - interval '100 days'`);
    await database.query(
      `insert into source (name, kind, auth, limits, revision, "createdAt", "updatedAt")
       values ('idle', 'openapi', '{"mode": "none"}', '{}', 1, now() - interval '100 days', now())`,
    );
    const move = `update tool set source = $1 where id = 'support:close_ticket'`;
    await database.query(move, ["idle"]);
    const found = async (kind: string) =>
      (await ask(findings, "GET", `/api/admin/findings?kind=${kind}`)).json.items.map(({ about, text }) => ({
        about,
        text,
      }));
    expect(await found("unused_grant")).toContainEqual({
      about: { kind: "policy", name: POLICY },
      text: expect.stringMatching(
        /^`support-staff` grants \d+ tools; its callers used 2 in 90 days\. Each list costs about [\d,]+ tokens more/,
      ),
    });
    expect(await found("unused_key")).toEqual([
      { about: { kind: "agent", name: "reader" }, text: "The API key `spare` of `reader` was not used for 90 days." },
    ]);
    expect((await found("unused_source")).map(({ about }) => about)).toEqual([{ kind: "source", name: "idle" }]);
    await database.query(move, ["support"]);
    await database.query(`delete from source where name = 'idle'`);
  });

  it("does not count a kept tool as unused", async () => {
    const { tools, unused, kept } = await replayed();
    expect(kept).toBe(1);
    expect(tools.at(-1)).toMatchObject({ unused: false, kept: { reason: "Needed at the end of the year" } });
    const body = { tools: [tools.at(-1)?.tool], reason: null };
    expect((await ask(keep, "PUT", `/api/admin/rightsizing/${POLICY}/keep`, { params, body })).status).toBe(204);
    expect(await replayed()).toMatchObject({ kept: 0, unused: unused + 1 });
    const marks = await database.query(
      `select action, actor, target, detail from audit_event where action like 'rightsizing.%' order by id`,
    );
    const mark = { actor: "admin@example.com", target: tools.at(-1)?.tool, detail: POLICY };
    expect(marks).toEqual([
      { action: "rightsizing.kept", ...mark },
      { action: "rightsizing.unmarked", ...mark },
    ]);
  });

  it("opens a candidate as a document that changes nothing by itself, with an assertion", async () => {
    await database.query(`delete from usage_day where calls = 7`);
    await replayed();
    const before = await listed();
    const body = { candidate: "own_group", days: 30 };
    const { status, json } = await ask<CandidateDraft>(draft, "POST", `/api/admin/rightsizing/${POLICY}/draft`, {
      params,
      body,
    });
    expect([status, json.assertion]).toEqual([200, `${POLICY} keeps the tools in use`]);
    expect(await listed()).toEqual(before);
    const applied = await ask(applyDocument, "PUT", "/api/admin/config?mode=merge&note=smaller+grant", {
      text: json.document,
      headers: { "content-type": "application/json", "if-match": `"${json.revision}"` },
    });
    expect([applied.status, applied.json.errors]).toEqual([200, []]);
    const reader = new Client(await keyOf("reader", "reader-two"));
    const names = (await reader.list()).json.data.map(({ tool_id: id }) => id);
    expect(names.toSorted()).toEqual(["builtin:calculate", "support:search_knowledge"]);
  });

  it("says of an agent how many of its tools it uses", async () => {
    const { json } = await ask(agentUse, "GET", "/api/admin/agents/second/use?days=30", { params: { name: "second" } });
    expect(json).toMatchObject({ agent: "second", granted: 2, used: 2, unused: 0 });
    const unknown = await ask(agentUse, "GET", "/api/admin/agents/nobody/use", { params: { name: "nobody" } });
    expect(unknown.status).toBe(404);
  });

  it("refuses an unknown policy, a deny, and a window beyond its bounds", async () => {
    expect((await ask(read, "GET", "/api/admin/rightsizing/nothing", { params: { name: "nothing" } })).status).toBe(
      404,
    );
    const deny = await ask(read, "GET", "/api/admin/rightsizing/suspended", { params: { name: "suspended" } });
    expect(deny.status).toBe(404);
    for (const days of [29, 366])
      expect((await ask(list, "GET", `/api/admin/rightsizing?days=${days}`)).status).toBe(400);
  });
});
