import { beforeAll, beforeEach, expect, it } from "vitest";
import { requestAccess } from "@/lib/agents/rest/access-requests";
import type { AccessRequestOutput } from "@/lib/contracts/agents/access-request";
import { OPEN_REQUESTS } from "@/lib/store/requests/access-requests";
import { keyOf, save, supportDocument, type Problem } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

// The caps on open access requests hold for concurrent requests.

const database = useDatabase();
const TOOLS = Array.from({ length: 8 }, (_, number) => `many:t${number}`);
const AGENTS = Array.from({ length: 6 }, (_, number) => `asker-${number}`);
let keys: readonly string[];

beforeAll(async () => {
  const document = supportDocument() as Record<"sources" | "tools" | "agents" | "policies", object[]>;
  const tool = (id: string) => ({ id, description: "One of many.", inputSchema: { type: "object" } });
  await save({
    ...document,
    sources: [...document.sources, { name: "many", kind: "http" }],
    tools: [...document.tools, ...TOOLS.map(tool)],
    agents: [...document.agents, ...AGENTS.map((name) => ({ name }))],
    policies: [
      ...document.policies,
      { name: "on-request", effect: "request", maxHours: 2, everyone: true, groups: ["*"] },
    ],
  });
  keys = await Promise.all(AGENTS.map((name) => keyOf(name)));
});
beforeEach(() => database.query("delete from request"));

type Answer = { readonly status: number; readonly json: AccessRequestOutput & Problem & { readonly detail: string } };

async function requestTool(key: string | undefined, tool: string | undefined): Promise<Answer> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const body = JSON.stringify({ tool_id: tool, reason: "A customer waits.", hours: 1 });
  const request = new Request(`${ORIGIN}/api/agents/access-requests`, { method: "POST", headers, body });
  const response = await requestAccess(request, { params: Promise.resolve({}) });
  return { status: response.status, json: (await response.json()) as Answer["json"] };
}

/** Copies the only request, an hour old, for other callers, tools or issuers. */
async function copy(count: number, changes: string): Promise<void> {
  await database.query(
    `insert into request select (jsonb_populate_record(request, jsonb_build_object(
       'id', gen_random_uuid(), 'at', now() - interval '1 hour') || ${changes})).*
     from request, generate_series(1, ${count}) as number`,
  );
}

/** Five agents request a tool at the same time. */
const race = () => Promise.all(keys.slice(1).map((key) => requestTool(key, TOOLS[1])));

/** One of five concurrent requests opens. The others are refused with the cap that is reached and what to do. */
const oneOpened = (whose: string, cap: number) => ({
  statuses: [202, 429, 429, 429, 429],
  refused: Array.from({ length: 4 }, () => [
    "quota_exceeded",
    `${whose} ${cap} open access requests: wait until a person has answered some.`,
  ]),
  open: cap,
});

const outcome = async (answers: readonly Answer[]) => ({
  statuses: answers.map(({ status }) => status).toSorted(),
  refused: answers.filter(({ status }) => status !== 202).map(({ json }) => [json.code, json.detail]),
  open: (await database.query(`select 1 from request where status = 'open'`)).length,
});

it("one per caller and tool: requests at the same time open one", async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => requestTool(keys[0], TOOLS[0])));
  expect(new Set(answers.map(({ json }) => json.request_id)).size).toBe(1);
  expect(await database.query("select 1 from request")).toHaveLength(1);
});

it("20 per caller: of requests at the same time, one takes the last place", async () => {
  await requestTool(keys[0], TOOLS[0]);
  await copy(OPEN_REQUESTS.caller - 2, `jsonb_build_object('target', 'many:other' || number)`);
  const answers = await Promise.all(TOOLS.slice(1, 6).map((tool) => requestTool(keys[0], tool)));
  expect(await outcome(answers)).toEqual(oneOpened("You have", 20));
  // Another caller has its own places.
  expect((await requestTool(keys[1], TOOLS[1])).status).toBe(202);
});

it("500 per issuer", async () => {
  await requestTool(keys[0], TOOLS[0]);
  await copy(OPEN_REQUESTS.issuer - 2, `jsonb_build_object('subject', 'other' || number)`);
  expect(await outcome(await race())).toEqual(oneOpened("Callers of your issuer have", 500));
});

it("5,000 per installation", async () => {
  await requestTool(keys[0], TOOLS[0]);
  await copy(OPEN_REQUESTS.all - 2, `jsonb_build_object('issuer', 'https://idp' || number)`);
  expect(await outcome(await race())).toEqual(oneOpened("This installation has", 5_000));
});

it("an expired or answered request takes no place", async () => {
  await requestTool(keys[0], TOOLS[0]);
  await copy(OPEN_REQUESTS.caller, `jsonb_build_object('target', 'many:a' || number, 'status', 'refused')`);
  await copy(1, `jsonb_build_object('target', 'many:b', 'closesAt', now() - interval '1 minute')`);
  expect((await requestTool(keys[0], TOOLS[1])).status).toBe(202);
});

it("an expired request that the job has not seen yet is replaced, and the audit trail says that it expired", async () => {
  const { json } = await requestTool(keys[0], TOOLS[0]);
  await database.query(`update request set "closesAt" = now() - interval '1 minute'`);
  expect((await requestTool(keys[0], TOOLS[0])).status).toBe(202);
  expect(await database.query("select status from request order by at")).toEqual([
    { status: "expired" },
    { status: "open" },
  ]);
  const events = await database.query("select action from audit_event where target = $1", [json.request_id]);
  expect(events).toContainEqual({ action: "requests.expired" });
});
