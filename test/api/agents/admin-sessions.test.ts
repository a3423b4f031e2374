import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as detailRoute } from "@/app/api/admin/sessions/[id]/route";
import { GET as listRoute } from "@/app/api/admin/sessions/route";
import { pageOf } from "@/lib/contracts/changes/list";
import type { Role } from "@/lib/resources/permissions";
import { sessionDetail, sessionRow } from "@/lib/contracts/log/session";
import { ROUTING_MODES } from "@/lib/resources/parts/words";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const pages = pageOf(sessionRow);
let opened: Record<
  "described" | "narrow" | "doubtful" | "unsure" | "served" | "escalated" | "unrouted" | "expired",
  string
>;

beforeAll(async () => {
  await save(supportDocument());
  await save({
    apiVersion: "quartermaster/v1",
    intents: [
      { name: "KNOWLEDGE", groups: ["knowledge"] },
      { name: "IDLE", groups: [] },
    ],
  });
  const worker = new Client(await keyOf("worker"));
  const reader = new Client(await keyOf("reader"));
  const open = async (client: Client, body: Record<string, unknown>) => (await client.open(body)).json.session_id;
  opened = {
    described: await open(worker, {
      group: ["*"],
      question: "Why was O-5001 late?",
      history: [
        { thought: "Look it up", action: "get_order", arguments: { id: 1 }, observation: "late", state: "triage" },
      ],
      metadata: { run: 7 },
    }),
    narrow: await open(reader, { group: ["*"], intent: "KNOWLEDGE", confidence: 0.8 }),
    doubtful: await open(reader, { group: ["*"], intent: "KNOWLEDGE", confidence: 0.6 }),
    unsure: await open(reader, { group: ["*"], intent: "KNOWLEDGE" }),
    served: await open(reader, { group: ["*"], intent: "IDLE", confidence: 1 }),
    escalated: await open(reader, { group: ["*"], intent: "KNOWLEDGE", confidence: 0.9 }),
    unrouted: await open(reader, { group: ["*"], intent: "NO_SUCH_INTENT", confidence: 0.9 }),
    expired: await open(reader, { group: ["*"] }),
  };
  await reader.patch(opened.escalated, { no_progress: true });
  await database.query(`update agent_session set "expiresAt" = now() - interval '1 s' where id = $1`, [opened.expired]);
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

async function list(query: string, role: Role = "editor") {
  const got = await ask(listRoute, "GET", `/api/admin/sessions${query}`, { role });
  expect([got.status, got.json.errors]).toEqual([200, undefined]);
  return pages.parse(got.json);
}
async function ids(query: string): Promise<string[]> {
  return (await list(query)).items.map(({ id }) => id).toSorted();
}

describe("the sessions", () => {
  test("lists the sessions of all agents without their stored texts", async () => {
    const { items, total } = await list("");
    expect(total).toBe(8);
    expect(items.map(({ id }) => id).toSorted()).toEqual(Object.values(opened).toSorted());
    expect(items.map(({ lastUsedAt }) => lastUsedAt)).toEqual(
      items
        .map(({ lastUsedAt }) => lastUsedAt)
        .toSorted()
        .toReversed(),
    );
    expect(items.find(({ id }) => id === opened.described)).toMatchObject({
      agent: "worker",
      machine: "case",
      state: "triage",
      group: ["*"],
      calls: 0,
      live: true,
    });
    expect(JSON.stringify(items)).not.toContain("O-5001");
  });
  test("are found by agent, subject, state, escalation, expiry and text", async () => {
    expect(await ids("?agent=worker")).toEqual([opened.described]);
    expect(await ids("?subject=worker&state=triage")).toEqual([opened.described]);
    expect(await ids("?escalated=true")).toEqual([opened.escalated]);
    expect(await ids("?live=false")).toEqual([opened.expired]);
    expect(await ids("?live=true")).toHaveLength(7);
    expect(await ids(`?q=${opened.served.slice(4, 20)}`)).toEqual([opened.served]);
    expect(await ids("?agent=nobody")).toEqual([]);
  });
  test("have exactly one mode each: the one that the router gives them, by which they are found", async () => {
    const all = (await list("")).items;
    for (const mode of ROUTING_MODES)
      expect([mode, await ids(`?mode=${mode}`)]).toEqual([
        mode,
        all
          .filter((row) => row.mode === mode)
          .map(({ id }) => id)
          .toSorted(),
      ]);
    const modeOf = (id: string) => all.find((row) => row.id === id)?.mode;
    expect(Object.fromEntries(Object.entries(opened).map(([name, id]) => [name, modeOf(id)]))).toEqual({
      described: "full",
      narrow: "restricted",
      doubtful: "restricted_with_resolution",
      unsure: "full",
      served: "none",
      escalated: "full",
      unrouted: "full",
      expired: "full",
    });
  });
  test("in strict mode are narrowed whatever the confidence, and found that way", async () => {
    await save({ apiVersion: "quartermaster/v1", settings: { routing: { mode: "strict" } } });
    expect(await ids("?mode=restricted_with_resolution")).toEqual([opened.doubtful, opened.unsure].toSorted());
    await save({ apiVersion: "quartermaster/v1", settings: { routing: { mode: "conservative" } } });
  });
  test("are paged without losing or repeating one, in every order", async () => {
    for (const sort of ["lastUsedAt", "-createdAt", "expiresAt", "-calls"]) {
      const first = await list(`?limit=3&sort=${sort}`);
      const rest = await list(`?limit=9&sort=${sort}&cursor=${encodeURIComponent(first.nextCursor ?? "")}`);
      expect([...first.items, ...rest.items]).toEqual((await list(`?sort=${sort}`)).items);
    }
  });
  test("refuse filters, sorts, cursors and values that they do not know, by name", async () => {
    for (const [query, path] of [
      ["?colour=red", "colour"],
      ["?sort=question", "sort"],
      ["?mode=narrow", "mode"],
      ["?escalated=yes", "escalated"],
      ["?live=yes", "live"],
      ["?cursor=nonsense", "cursor"],
    ]) {
      const got = await ask(listRoute, "GET", `/api/admin/sessions${query}`);
      expect([query, got.status, got.json.errors?.[0]?.path]).toEqual([query, 400, path]);
    }
  });
});

describe("one session", () => {
  const open = async (id: string, role: Role) => {
    const got = await ask(detailRoute, "GET", `/api/admin/sessions/${id}`, { role, params: { id } });
    return sessionDetail.parse(got.json);
  };
  const looks = async () =>
    (
      await database.query<{ actor: string; target: string }>(
        "select actor, target from audit_event where action = 'sessions.bodies' order by id",
      )
    ).map(({ actor, target }) => [actor, target]);

  test("shows admins and auditors the stored texts, and records who read them", async () => {
    for (const role of ["admin", "auditor"] as const)
      expect(await open(opened.described, role)).toMatchObject({
        bodiesHidden: false,
        question: "Why was O-5001 late?",
        history: [{ thought: "Look it up", action: "get_order", observation: "late" }],
        metadata: { run: 7 },
      });
    expect(await looks()).toEqual([
      ["admin@example.com", opened.described],
      ["auditor@example.com", opened.described],
    ]);
  });
  test("shows an editor the state without the stored texts, and records nothing", async () => {
    const before = await looks();
    expect(await open(opened.described, "editor")).toMatchObject({
      bodiesHidden: true,
      question: null,
      history: null,
      metadata: null,
      state: "triage",
      mode: "full",
      tier: null,
    });
    expect(await looks()).toEqual(before);
  });
  test("says which groups routing keeps, also when it has expired", async () => {
    expect((await open(opened.narrow, "editor")).tier).toEqual(["knowledge"]);
    expect((await open(opened.doubtful, "editor")).tier).toEqual(["knowledge", "resolution"]);
    expect(await open(opened.expired, "editor")).toMatchObject({ live: false });
  });
  test("that never was is not found", async () => {
    const got = await ask(detailRoute, "GET", "/api/admin/sessions/ses_x", { params: { id: "ses_x" } });
    expect([got.status, got.json.code]).toEqual([404, "not_found"]);
  });
});
