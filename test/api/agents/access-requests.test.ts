import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { POST as APPROVE } from "@/app/api/admin/access-requests/[id]/approve/route";
import { POST as END } from "@/app/api/admin/access-requests/[id]/end/route";
import { POST as REFUSE } from "@/app/api/admin/access-requests/[id]/refuse/route";
import { GET as READ } from "@/app/api/admin/access-requests/[id]/route";
import { GET as LIST } from "@/app/api/admin/access-requests/route";
import { POST as CREATE } from "@/app/api/admin/[resource]/route";
import { PUT } from "@/app/api/admin/[resource]/[id]/route";
import { readAccessRequest, requestAccess } from "@/lib/agents/rest/access-requests";
import { watchList } from "@/lib/agents/streams/watch-list";
import { agent } from "@/lib/auth/agents/agent";
import type { AccessRequestOutput } from "@/lib/contracts/agents/access-request";
import type { AccessDetail } from "@/lib/contracts/changes/access";
import type { HeldChange } from "@/lib/contracts/changes/request";
import { manifestFormat, type CallOutput } from "@/lib/contracts/agents/agent-api";
import type { Handler } from "@/lib/http/route";
import { toolInput } from "@/lib/resources/tool";
import { agents } from "@/lib/store/config/agents";
import { toValue } from "@/lib/store/config/tables";
import { tools as toolStore } from "@/lib/store/config/tools";
import { pause, resume } from "@/lib/store/calls/pauses";
import { tokens } from "@/lib/store/people/tokens";
import { OPEN_REQUESTS, sweepAccessGrants } from "@/lib/store/requests/access-requests";
import { expireRequests } from "@/lib/store/requests/expire-requests";
import { write, type Actor } from "@/lib/store/save/write";
import { ADMIN, Client, idsOf, keyOf, save, supportDocument, type Problem } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";
import { setReview } from "@/test/support/set-review";

// Access for a time: an agent is refused, asks, a person grants, the tool appears, the hours end, the tool is gone.

const database = useDatabase();
const TOOL = "support:refund_order";
const REFUND = { tool_id: TOOL, arguments: { order_id: "O-5001", amount: 10 } };
const HOUR = 3_600_000;
let reader: Client;
let stranger: Client;
const who = {} as Record<"admin" | "editor" | "auditor", Record<string, string>>;

const onRequest = (changes: object = {}) => ({
  name: "refunds-on-request",
  description: "Refunds are for people on duty: ask for them.",
  effect: "request",
  maxHours: 8,
  matchers: [{ claim: "team", operator: "equals", value: "support" }],
  groups: ["refunds"],
  ...changes,
});

async function withPolicy(changes: object = {}): Promise<void> {
  const { apiVersion, policies } = supportDocument() as { apiVersion: string; policies: object[] };
  await save({ apiVersion, policies: [...policies, onRequest(changes)] });
}

beforeAll(async () => {
  await save(supportDocument());
  reader = new Client(await keyOf("reader"));
  stranger = new Client(await keyOf("stranger"));
  for (const role of ["admin", "editor", "auditor"] as const) who[role] = await signIn(role);
});
beforeEach(async () => {
  await withPolicy();
  await clear();
});
afterEach(() => void vi.useRealTimers());

/** Removes all requests and grants. */
async function clear(): Promise<void> {
  await database.query("delete from request");
  const { revision } = await write(ADMIN, async (stored) =>
    [...(await stored.all("access-grants")).keys()].map((id) => ({ resource: "access-grants", action: "delete", id })),
  );
  await reader.list(`?min_revision=${revision}`);
}

/** Moves the clock of every decision. Timers stay real. */
function at(time: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

async function knock<T>(
  handler: Handler,
  {
    method = "POST",
    headers = {},
    params = {},
    query = "",
    body,
  }: { method?: string; headers?: object; params?: object; query?: string; body?: unknown },
): Promise<{ status: number; json: T & Problem & { detail: string } }> {
  const request = new Request(`${ORIGIN}/?${query}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await handler(request, { params: Promise.resolve(params as Record<string, string>) });
  return { status: response.status, json: (await response.json()) as T & Problem & { detail: string } };
}

const logged = (callId: string) =>
  database.query(`select policies, groups from execution where "callId" = $1`, [callId]);

const as = (client: Client) => ({ authorization: `Bearer ${client.credential}` });
const wish = { tool_id: TOOL, reason: "Customer O-5001 waits for a refund.", hours: 1 };
const asks = (client: Client = reader, body: object = wish) =>
  knock<AccessRequestOutput>(requestAccess, { headers: as(client), body });
const own = (id: string, client: Client = reader) =>
  knock<AccessRequestOutput>(readAccessRequest, { method: "GET", headers: as(client), params: { id } });
const look = (id: string, headers: object = who.admin) =>
  knock<AccessDetail>(READ, { method: "GET", headers, params: { id } });
const approve = async (id: string, body: object = {}, headers: object = who.admin) => {
  const { hash } = (await look(id)).json;
  return knock<AccessDetail>(APPROVE, { headers, params: { id }, body: { hash, ...body } });
};

async function opened(): Promise<string> {
  const { status, json } = await asks();
  expect(status).toBe(202);
  return json.request_id;
}

describe("access for an hour", () => {
  it("says that each call of the tool still waits for an approval", async () => {
    const id = await opened();
    const stored = await toolStore.get(TOOL);
    const saved = await toolStore.replace(
      ADMIN,
      TOOL,
      toolInput.parse({ ...toValue("tools", stored), requiresApproval: true }),
      "*",
    );
    expect((await look(id, who.auditor)).json).toMatchObject({ needsApproval: true });
    await toolStore.replace(ADMIN, TOOL, toolInput.parse({ ...toValue("tools", saved), requiresApproval: false }), "*");
  });

  it("the journey: refused, requested, granted, called, ended", async () => {
    const refused = await reader.call(REFUND);
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({
      status: "denied",
      error: {
        code: "access_requestable",
        message: "Refunds are for people on duty: ask for them.",
        details: { tool_id: TOOL, max_hours: 8 },
      },
    });
    const id = await opened();
    expect((await own(id)).json).toMatchObject({ status: "open", tool_id: TOOL, hours: 1, granted: null });
    const shown = (await look(id, who.auditor)).json;
    expect(shown).toMatchObject({
      status: "open",
      asker: { kind: "agent", name: "reader" },
      policy: "refunds-on-request",
      maxHours: 8,
      needsApproval: false,
      mayAnswer: false,
    });
    const granted = await approve(id, { reason: "On duty today." });
    expect(granted.json).toMatchObject({
      status: "applied",
      ended: false,
      decidedBy: "admin@example.com",
      mayEnd: true,
    });
    const { from, until } = granted.json.grant!;
    expect(Date.parse(until) - Date.parse(from)).toBe(HOUR);
    expect((await own(id)).json).toMatchObject({
      status: "applied",
      answer: "On duty today.",
      granted: { from, until },
    });
    expect(idsOf((await reader.list()).json)).toContain(TOOL);
    const called = await reader.call(REFUND);
    expect(called.json).toMatchObject({ status: "succeeded" });
    const [row] = await logged(called.json.call_id);
    expect(row).toEqual({ policies: [`access:${id}`], groups: [`(access ${TOOL})`] });
    at(Date.parse(until));
    expect(idsOf((await reader.list()).json)).not.toContain(TOOL);
    expect((await reader.call(REFUND)).json.error?.code).toBe("access_requestable");
  });

  it("the answer may shorten the hours, never lengthen them", async () => {
    const id = (await asks(reader, { ...wish, hours: 4 })).json.request_id;
    const longer = await approve(id, { hours: 5 });
    expect([longer.status, longer.json.errors[0]?.path]).toEqual([400, "hours"]);
    const { from, until } = (await approve(id, { hours: 2 })).json.grant!;
    expect(Date.parse(until) - Date.parse(from)).toBe(2 * HOUR);
  });

  it("ends early by one click, at once", async () => {
    const id = await opened();
    await approve(id);
    expect(idsOf((await reader.list()).json)).toContain(TOOL);
    const ended = await knock<AccessDetail>(END, { headers: who.editor, params: { id } });
    expect(ended.json).toMatchObject({ grant: { endedBy: "editor@example.com" }, mayEnd: false, ended: true });
    const notes = await database.query<{ note: string }>("select note from revision order by number desc limit 2");
    expect(notes.map(({ note }) => note)).toEqual([`ended reader's access to ${TOOL}`, `granted ${TOOL} to reader`]);
    expect(idsOf((await reader.list()).json)).not.toContain(TOOL);
    expect((await knock(END, { headers: who.editor, params: { id } })).status).toBe(409);
  });

  it("leaves an open stream when it ends, without other news", async () => {
    const id = await opened();
    const until = Date.parse((await approve(id)).json.grant!.until);
    const caller = await agent()(new Request(`${ORIGIN}/api/agents/stream`, { headers: as(reader) }));
    at(until - 1_000);
    let shrunk = (_tools: readonly string[]) => {};
    const changed = new Promise<readonly string[]>((resolve) => {
      shrunk = resolve;
    });
    const { context, stop } = await watchList({
      caller,
      stated: {},
      sessionId: null,
      requestId: "watch",
      changed: ({ resolution }) => shrunk(resolution.tools.map(({ tool }) => tool.id)),
      ended: () => {},
    });
    try {
      expect(context.resolution.tools.map(({ tool }) => tool.id)).toContain(TOOL);
      // Before the time at which every list is resolved again.
      at(until);
      expect(await changed).not.toContain(TOOL);
    } finally {
      stop();
    }
  });

  it("holds only while its policy is active and matches, and within its argument conditions", async () => {
    const id = await opened();
    await approve(id);
    await withPolicy({ arguments: [{ claim: "amount", operator: "lte", value: 5 }] });
    expect((await reader.call(REFUND)).json.error).toMatchObject({
      code: "arguments_refused",
      message: "Refunds are for people on duty: ask for them.",
    });
    await withPolicy({ active: false });
    expect((await reader.call(REFUND)).json.error?.code).toBe("tool_not_available");
    await withPolicy({ matchers: [{ claim: "team", operator: "equals", value: "sales" }] });
    expect(idsOf((await reader.list()).json)).not.toContain(TOOL);
    await withPolicy();
    expect(idsOf((await reader.list()).json)).toContain(TOOL);
  });

  it("shows the conditions of now while it holds, and after its end those of the time when it was granted", async () => {
    const limit = (value: number) => ({ arguments: [{ claim: "amount", operator: "lte", value }] });
    const conditions = async () => (await look(id)).json.conditions;
    await withPolicy(limit(100));
    const id = await opened();
    await approve(id);
    await withPolicy(limit(50));
    expect(await conditions()).toEqual(["`amount` is at most `50`"]);
    await knock<AccessDetail>(END, { headers: who.editor, params: { id } });
    expect(await conditions()).toEqual(["`amount` is at most `100`"]);
  });

  it("is of its caller alone", async () => {
    const id = await opened();
    await approve(id);
    const worker = new Client(await keyOf("worker"));
    expect((await worker.call({ ...REFUND, name: undefined })).json.status).not.toBe("succeeded");
    expect((await own(id, worker)).status).toBe(404);
  });
});

describe("while changes are reviewed", () => {
  const grants = () => database.query<{ until: Date }>(`select until from access_grant`);

  it.each(["widening", "all"] as const)("in the mode %s a person grants and ends access alone", async (mode) => {
    await setReview(mode);
    try {
      const id = await opened();
      expect((await approve(id)).json).toMatchObject({ status: "applied", decidedBy: "admin@example.com" });
      expect(idsOf((await reader.list()).json)).toContain(TOOL);
      expect(await grants()).toHaveLength(1);
      const ended = await knock<AccessDetail>(END, { headers: who.editor, params: { id } });
      expect([ended.status, ended.json.grant?.endedBy]).toEqual([200, "editor@example.com"]);
      expect(await database.query(`select 1 from request where kind = 'change'`)).toEqual([]);
    } finally {
      await setReview("off");
    }
  });

  it("a new request policy, and other approvers, hours, callers or tools of one, wait like an allow", async () => {
    await setReview("widening");
    try {
      const [stored] = await database.query<{ revision: number }>(
        `select revision from policy where name = 'refunds-on-request'`,
      );
      const headers = { ...who.admin, "if-match": `"${stored?.revision}"` };
      const params = { resource: "policies", id: "refunds-on-request" };
      const kindOf = async (changes: object) => {
        const answer = await knock<HeldChange>(PUT, { method: "PUT", headers, params, body: onRequest(changes) });
        return [answer.status, answer.json.verdict?.kind];
      };
      const waits = [202, "unknown"];
      expect(await kindOf({ approvers: ["auditor"] })).toEqual(waits);
      expect(await kindOf({ approvers: ["admin"] })).toEqual(waits);
      expect(await kindOf({ maxHours: 720 })).toEqual(waits);
      expect(await kindOf({ matchers: [], everyone: true })).toEqual(waits);
      expect(await kindOf({ groups: ["*"] })).toEqual(waits);
      const created = await knock<HeldChange>(CREATE, {
        headers: who.admin,
        params: { resource: "policies" },
        body: onRequest({ name: "another", maxHours: 9 }),
      });
      expect([created.status, created.json.verdict?.kind]).toEqual(waits);
    } finally {
      await setReview("off");
    }
  });
});

describe("who may ask", () => {
  it("nobody to whom no policy offers the tool: the same answer as for an unknown tool", async () => {
    const refused = await asks(stranger);
    const unknown = await asks(stranger, { ...wish, tool_id: "support:nothing" });
    expect([refused.status, refused.json.code, refused.json.detail]).toEqual([
      404,
      "tool_not_available",
      unknown.json.detail,
    ]);
    expect((await stranger.call(REFUND)).json.error?.code).toBe("tool_not_available");
  });

  it("a second request for the same tool returns the open one", async () => {
    const id = await opened();
    expect((await asks()).json.request_id).toBe(id);
  });

  it("for at most the hours of the policy", async () => {
    const { status, json } = await asks(reader, { ...wish, hours: 9 });
    expect([status, json.errors]).toEqual([400, [{ path: "hours", message: "Ask for at most 8 hours." }]]);
  });

  it("at most 10 times a minute, and with at most 20 open requests", async () => {
    await withPolicy({ groups: ["*"] });
    const {
      apiVersion,
      sources,
      tools: known,
    } = supportDocument() as Record<"sources" | "tools", object[]> & {
      apiVersion: string;
    };
    const tools = Array.from({ length: OPEN_REQUESTS.caller + 1 }, (_, number) => ({
      id: `many:t${number}`,
      description: "One of many.",
      inputSchema: { type: "object" },
    }));
    await save({ apiVersion, sources: [...sources, { name: "many", kind: "http" }], tools: [...known, ...tools] });
    const codes: unknown[] = [];
    for (const [number, { id }] of tools.entries()) {
      const answer = await asks(reader, { ...wish, tool_id: id });
      codes.push(answer.status === 202 ? 202 : answer.json.code);
      if (number % 9 === 8)
        await database.query(
          "alter table request disable trigger user; update request set at = at - interval '1 hour'; alter table request enable trigger user",
        );
    }
    expect(codes.filter((code) => code === 202)).toHaveLength(20);
    expect(codes.at(-1)).toBe("quota_exceeded");
    await database.query("delete from request");
    for (const { id } of tools.slice(0, 10)) await asks(reader, { ...wish, tool_id: id });
    expect((await asks(reader, { ...wish, tool_id: tools[11]!.id })).json.code).toBe("rate_limited");
    await save({ apiVersion, sources, tools: known });
  });
});

describe("the tool request_access", () => {
  it("is last in every format, with the requestable tools, and opens a request", async () => {
    for (const format of manifestFormat.options) {
      const { json } = await reader.list(`?format=${format}`);
      expect(JSON.stringify(json.data.at(-1))).toContain("request_access");
      expect(JSON.stringify(json.data.at(-1))).toContain(TOOL);
    }
    const called = await reader.call<CallOutput>({
      name: "request_access",
      arguments: { tool: TOOL, reason: "A refund.", hours: 2 },
    });
    expect(called.json).toMatchObject({ status: "succeeded", output: { status: "open", tool_id: TOOL, hours: 2 } });
    const bad = await reader.call({ name: "request_access", arguments: { tool: TOOL } });
    expect(bad.json.error?.code).toBe("invalid_arguments");
    expect(await logged(bad.json.call_id)).toHaveLength(1);
  });

  it("is absent without anything requestable, with `group=`, and while calls are paused", async () => {
    expect((await stranger.list()).text).not.toContain("request_access");
    expect((await reader.list("?group=")).text).not.toContain("request_access");
    await pause(ADMIN, { scope: "all", name: null, reason: "An incident." });
    expect((await reader.list()).text).not.toContain("request_access");
    await resume(ADMIN, { scope: "all", name: null });
    expect((await stranger.call({ name: "request_access", arguments: {} })).json.error?.code).toBe(
      "tool_not_available",
    );
  });
});

describe("who may answer", () => {
  it("no auditor, no token, no editor for an agent that they created; an administrator may", async () => {
    const id = await opened();
    expect((await approve(id, {}, who.auditor)).status).toBe(403);
    const { token } = await tokens.create(
      { kind: "user", name: "admin@example.com", role: "admin" },
      { name: "robot", role: "admin", expiresAt: null, enabled: true },
    );
    const byToken = await approve(id, {}, { authorization: `Bearer ${token}` });
    expect([byToken.status, byToken.json.detail]).toEqual([403, "Only a person answers requests: no token can."]);
    const editor: Actor = { kind: "user", name: "editor@example.com", role: "editor" };
    await agents.create(editor, { ...(await agents.get("reader")), name: "editors-own" } as never);
    const made = (await asks(new Client(await keyOf("editors-own")))).json.request_id;
    expect((await approve(made, {}, who.editor)).status).toBe(403);
    expect((await look(made, who.editor)).json).toMatchObject({ own: "agent", mayAnswer: false });
    expect((await approve(made)).status).toBe(200);
  });

  it("only the approvers that the policy names: people and roles", async () => {
    await withPolicy({ approvers: ["editor"] });
    const id = await opened();
    expect((await approve(id)).status).toBe(403);
    await withPolicy({ approvers: ["the-admin"] });
    expect((await approve(id, {}, who.editor)).status).toBe(403);
    expect((await approve(id)).status).toBe(200);
  });

  it("a role that the policy names, and no person of the same name", async () => {
    await withPolicy({ approvers: ["admin"] });
    const id = await opened();
    await database.query("update person set name = 'admin' where email = 'editor@example.com'");
    expect((await approve(id, {}, who.editor)).status).toBe(403);
    expect((await look(id, who.editor)).json).toMatchObject({ mayAnswer: false });
    expect((await approve(id)).status).toBe(200);
  });

  it("once: of two answers at the same time one counts, and a refusal tells the caller why", async () => {
    const id = await opened();
    const answers = await Promise.all([approve(id), approve(id, {}, who.editor)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await database.query("select 1 from access_grant")).toHaveLength(1);
    await clear();
    const other = await opened();
    const refused = await knock<AccessDetail>(REFUSE, {
      headers: who.admin,
      params: { id: other },
      body: { reason: "Not without a ticket." },
    });
    expect(refused.json).toMatchObject({ status: "refused", grant: null });
    expect((await own(other)).json).toMatchObject({ status: "refused", answer: "Not without a ticket." });
    expect((await approve(other)).status).toBe(409);
  });

  it("not another request than was read, nor one that expired, nor one whose policy is gone", async () => {
    const id = await opened();
    expect((await approve(id, { hash: "0".repeat(64) })).status).toBe(409);
    await withPolicy({ active: false });
    expect((await approve(id)).status).toBe(409);
    await withPolicy();
    await expireRequests(new Date(Date.now() + 8 * 24 * HOUR));
    expect((await approve(id)).status).toBe(409);
    expect(await database.query("select 1 from access_grant")).toHaveLength(0);
  });
});

it("lists requests, announces each, and removes the rows of grants that ended long ago", async () => {
  const id = await opened();
  const page = await knock<{ items: { id: string }[] }>(LIST, { method: "GET", headers: who.auditor });
  expect(page.json.items.map((item) => item.id)).toEqual([id]);
  const events = await database.query<{ path: string }>("select path from event where type = 'access.requested'");
  expect(events.map(({ path }) => path)).toContain(`/admin/requests/${id}`);
  await approve(id);
  const items = async (query = "") =>
    (await knock<{ items: object[] }>(LIST, { method: "GET", headers: who.auditor, query })).json.items;
  expect(await items()).toMatchObject([{ id, status: "applied", ended: false, grant: { by: "admin@example.com" } }]);
  expect(await items("ended=false")).toHaveLength(1);
  expect(await items("ended=true")).toEqual([]);
  await sweepAccessGrants(new Date(Date.now() + 40 * 24 * HOUR));
  expect(await database.query("select 1 from access_grant")).toHaveLength(0);
  expect(await items()).toMatchObject([{ id, status: "applied", ended: true }]);
  expect(await items("ended=false")).toEqual([]);
  expect(await items("ended=true")).toHaveLength(1);
});
