import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sessionOutput } from "@/lib/contracts/agents/agent-api";
import { sweepSessions } from "@/lib/store/calls/sessions";
import {
  Client,
  documentWithTool,
  idsOf,
  keyOf,
  save,
  supportDocument,
  type Got,
  type Problem,
  type Session,
} from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
let worker: Client;
let reader: Client;

beforeAll(async () => {
  const { machines } = supportDocument() as { machines: object[] };
  await save(supportDocument({ machines: [...machines, CIRCLE], agents: agentsWith() }));
  worker = new Client(await keyOf("worker"));
  reader = new Client(await keyOf("reader"));
});

const LOOK_UP = { tool_id: "support:lookup_customer", arguments: { query: "ada" } };
/** Machine and agent of a walk in a circle: each call is a step. */
const AROUND = ["one", "two", "three"];
const CIRCLE = {
  name: "circle",
  initial: "one",
  states: AROUND.map((name) => ({ name })),
  rules: [
    {
      tool: LOOK_UP.tool_id,
      availableIn: AROUND,
      transitions: AROUND.map((from, place) => ({ from, to: AROUND[(place + 1) % AROUND.length] })),
    },
  ],
};
const WALKER = { name: "walker", attributes: { team: "support" }, machine: "circle", stateHeldByServer: true };
const CLOSE = { tool_id: "support:close_ticket", arguments: { ticket_id: "T-7001", resolution: "done" } };

async function open(client: Client, body: Record<string, unknown> = { group: ["*"] }): Promise<string> {
  return (await client.open(body)).json.session_id;
}

async function stateOf(client: Client, id: string): Promise<string> {
  return (await client.session(id)).json.state;
}

describe("a session", () => {
  it("starts in the agent's machine's initial state with the tools of that state", async () => {
    const answer = await worker.open({ group: ["*"], question: "What now?", metadata: { run: 7 } });
    expect(answer.status).toBe(201);
    sessionOutput.strict().parse(answer.json);
    expect(answer.json).toMatchObject({ state: "triage", mode: "full", escalated: false });
    const ids = answer.json.tools.map((tool) => tool.tool_id);
    expect(ids).toContain("support:lookup_customer");
    expect(ids).not.toContain("support:close_ticket");
    const left = Date.parse(answer.json.expires_at) - Date.now();
    expect(left).toBeGreaterThan(23.9 * 3_600_000);
  });

  it("without a group is a request for `default` alone; `[]` is none", async () => {
    expect((await reader.open({})).json.tools).toEqual([]);
    expect((await reader.open({ group: [] })).json.tools).toEqual([]);
    expect((await reader.open({ group: ["helpers"] })).json.tools).toHaveLength(5);
  });

  it("accepts steps of its history with unknown fields, and names the dropped fields", async () => {
    const history = [
      { action: "search", plan: ["a"], goal: "x" },
      { action: "answer", plan: [] },
    ];
    const { status, json } = await reader.open<Session & { notes: string[] }>({ history, group: ["*"] });
    expect(status).toBe(201);
    expect(json.notes).toEqual(["plan", "goal"].map((field) => `\`${field}\` of a step of \`history\` is not stored`));
    const [row] = await database.query("select history from agent_session where id = $1", [json.session_id]);
    expect(row).toEqual({ history: [{ action: "search" }, { action: "answer" }] });
    expect(
      (await reader.open<Session & { notes?: string[] }>({ history: [{ action: "a" }], group: ["*"] })).json.notes,
    ).toBeUndefined();
  });

  it("without `group` says that it has the tools of `default` only", async () => {
    const { json } = await reader.open<Session & { notes: string[] }>({});
    expect(json.notes).toEqual([expect.stringContaining("the tools of `default` only")]);
  });

  it("an empty state is refused: it opens, lists, calls and moves nothing, and no tool leads to one", async () => {
    const refused = { code: "invalid_request", errors: [{ path: "state", message: "name a state, or omit it" }] };
    const id = await open(worker);
    const answers = [
      await reader.open({ group: ["*"], state: "" }),
      await reader.list("?state="),
      await reader.call({ tool_id: "builtin:calculate", arguments: { expression: "1" }, state: "" }),
      await worker.call({ ...LOOK_UP, session_id: id, state: "" }),
    ];
    for (const { status, json } of answers) expect({ status, json }).toMatchObject({ status: 400, json: refused });
    expect((await worker.session(id)).json.state).toBe("triage");
    const leads = (document: object) => save(document as Record<string, unknown>);
    await expect(leads(documentWithTool("builtin:calculate", { state: "" }))).rejects.toThrow(/name a state/);
  });

  it("is stored without the secrets in its question, history and metadata", async () => {
    const token = "Bearer abcdef0123456789";
    const id = await open(reader, {
      question: `Use ${token}`,
      history: [{ action: "fetch", arguments: { password: "hunter2hunter2" }, observation: `sent ${token}` }],
      metadata: { api_key: "hunter2hunter2", run: 7 },
    });
    const [row] = await database.query("select question, history, metadata from agent_session where id = $1", [id]);
    expect(row).toMatchObject({ question: "Use [redacted]", metadata: { api_key: "[redacted]", run: 7 } });
    for (const secret of ["abcdef0123456789", "hunter2"]) expect(JSON.stringify(row)).not.toContain(secret);
  });

  it("keeps its history for the auditor: that moves no state, escalates nothing and shows no tool", async () => {
    const group = ["*"];
    const looked = { action: "lookup_customer", arguments: { query: "ada" }, observation: "", state: "resolved" };
    const attempts = Array.from({ length: 5 }, () => looked);
    const without = (await worker.open({ group })).json;
    const { state, mode, escalated, tools } = (await worker.open({ group, history: attempts })).json;
    expect({ state, mode, escalated, tools }).toEqual({
      state: "triage",
      mode: without.mode,
      escalated: false,
      tools: without.tools,
    });
    const routed = { group, intent: "KNOWLEDGE", confidence: 0.9 };
    const narrow = (await reader.open({ ...routed, history: attempts })).json;
    expect([narrow.mode, narrow.escalated, narrow.tools]).toEqual([
      "restricted",
      false,
      (await reader.open(routed)).json.tools,
    ]);
  });

  it("lasts 24 h from its last use, a list as well as a call", async () => {
    const id = await open(worker);
    const uses = [() => worker.list(`?session_id=${id}`), () => worker.call({ ...LOOK_UP, session_id: id })];
    for (const use of uses) {
      await database.query(`update agent_session set "expiresAt" = now() + interval '1 hour' where id = $1`, [id]);
      expect((await use()).status).toBe(200);
      const [row] = await database.query<{ kept: boolean }>(
        `select "expiresAt" > now() + interval '23 hours 59 minutes' as kept from agent_session where id = $1`,
        [id],
      );
      expect(row).toEqual({ kept: true });
    }
  });

  it("lists the tools that its next call can call", async () => {
    const id = await open(worker);
    const listed = idsOf((await worker.list(`?session_id=${id}`)).json);
    expect(listed).toEqual((await worker.session(id)).json.tools.map((tool) => tool.tool_id));
    const closed = await worker.call({ ...CLOSE, session_id: id });
    expect([listed.includes(CLOSE.tool_id), closed.json.error?.code]).toEqual([false, "tool_not_available"]);
  });

  it("belongs to its principal: another's, an unknown and an expired one are the same 404", async () => {
    const id = await open(worker);
    const expired = await open(worker);
    await database.query(`update agent_session set "expiresAt" = now() - interval '1 s' where id = $1`, [expired]);
    const answers = [
      await reader.session<Problem>(id),
      await reader.session<Problem>("ses_unknown"),
      await worker.session<Problem>(expired),
      await reader.patch<Problem>(id, { intent: null }),
    ];
    for (const { status, json } of answers) expect([status, json.code]).toEqual([404, "session_not_found"]);
    for (const session of [id, "ses_unknown"]) {
      const called = await reader.call({ ...LOOK_UP, session_id: session });
      expect([called.status, called.json.error?.code]).toEqual([404, "session_not_found"]);
    }
  });

  it("may change intent, confidence and progress, and nothing else", async () => {
    const id = await open(reader);
    const patched = await reader.patch(id, { intent: "KNOWLEDGE", confidence: 0.95 });
    expect([patched.json.mode, idsOf({ data: patched.json.tools })]).toEqual([
      "restricted",
      ["support:search_knowledge"],
    ]);
    for (const field of ["state", "group", "machine", "profile", "escalated"]) {
      const refused = await reader.patch<Problem>(id, { [field]: "x" });
      expect([refused.status, refused.json.errors[0]?.path]).toEqual([400, field]);
    }
  });
});

describe("an agent whose state is held by the server", () => {
  it("names a session everywhere, and never a state", async () => {
    const listed = await worker.list<Problem>();
    expect([listed.status, listed.json.errors[0]?.path]).toEqual([400, "session_id"]);
    const called = await worker.call(LOOK_UP);
    expect([called.status, called.json.error?.code]).toEqual([400, "invalid_request"]);
    const opened = await worker.open<Problem>({ state: "resolved" });
    expect([opened.status, opened.json.errors[0]?.path]).toEqual([400, "state"]);
  });
});

describe("the machine of a session", () => {
  it("stays, also one that was not stated, when the agent is assigned another one", async () => {
    const id = await open(worker);
    let state = "triage";
    const agents = agentsWith() as { name: string }[];
    const assign = (machine: string | null) =>
      save({
        apiVersion: "quartermaster/v1",
        agents: agents.map((agent) => (agent.name === "worker" ? { ...agent, machine } : agent)),
      });
    for (const machine of ["circle", null]) {
      await assign(machine);
      expect(await stateOf(worker, id)).toBe(state);
      const { json } = await worker.call({ ...LOOK_UP, session_id: id });
      expect(json.state.after).toBe((state = "investigating"));
    }
    await assign("case");
  });
});

describe("the state", () => {
  it("moves after a successful call and shows before and after", async () => {
    const id = await open(worker);
    const answer = await worker.call({ ...LOOK_UP, session_id: id });
    expect(answer.json.state).toEqual({ before: "triage", after: "investigating" });
    expect(await stateOf(worker, id)).toBe("investigating");
    const closed = await worker.call({ ...CLOSE, session_id: id });
    expect(closed.json.state).toEqual({ before: "investigating", after: "resolved" });
    const [row] = await database.query<{ stateAfter: string }>(
      `select "stateAfter" from execution_outcome where "callId" = $1`,
      [closed.json.call_id],
    );
    expect(row!.stateAfter).toBe("resolved");
  });

  it("does not move when the call fails, is refused or is invalid", async () => {
    const id = await open(worker);
    await worker.call({ ...LOOK_UP, arguments: { wrong: 1 }, session_id: id });
    await worker.call({ ...CLOSE, session_id: id });
    await worker.call({ tool_id: "no:tool", session_id: id });
    await worker.call({ tool_id: "builtin:calculate", arguments: { expression: "1/0" }, session_id: id });
    expect(await stateOf(worker, id)).toBe("triage");
  });

  it("moves one call after the other when two come at once", async () => {
    const id = await open(worker);
    const answers = await Promise.all([
      worker.call({ ...LOOK_UP, session_id: id }),
      worker.call({ ...LOOK_UP, session_id: id }),
      worker.call({ ...LOOK_UP, session_id: id }),
    ]);
    expect(answers.map((answer) => answer.json.status)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(await stateOf(worker, id)).toBe("investigating");
    const [row] = await database.query<{ calls: number }>("select calls from agent_session where id = $1", [id]);
    expect(row!.calls).toBe(3);
  });

  it("moves twelve steps in a circle for twelve concurrent calls: none is lost, none moves twice", async () => {
    const client = new Client(await keyOf("walker"));
    const id = await open(client);
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.call({ ...LOOK_UP, session_id: id })));
    expect(answers.map(({ json }) => json.status)).toEqual(Array(12).fill("succeeded"));
    // `before` is the state that a call was decided in; it moves the one that it finds when it ends.
    expect(answers.map(({ json }) => json.state.after).toSorted()).toEqual(
      AROUND.flatMap((state) => Array<string>(4).fill(state)).toSorted(),
    );
    expect(await stateOf(client, id)).toBe("one");
  });

  it("of a named machine is held by the server: lists and calls need a session, and no request may state a state", async () => {
    const fieldOf = ({ status, json }: Got<unknown>) => [status, JSON.stringify(json).match(/"path":"(\w+)"/)?.[1]];
    for (const client of [worker, reader]) {
      const query = client === worker ? "" : "?machine=case";
      const body = client === worker ? {} : { machine: "case" };
      expect(fieldOf(await client.list(query))).toEqual([400, "session_id"]);
      expect(fieldOf(await client.call({ ...LOOK_UP, ...body }))).toEqual([400, "session_id"]);
      expect(fieldOf(await client.open({ ...body, group: ["*"], state: "triage" }))).toEqual([400, "state"]);
    }
    // The built-in machine's state is the caller's own word.
    expect((await worker.list("?state=elsewhere")).status).toBe(400);
    expect((await reader.list("?state=elsewhere")).json.state).toBe("elsewhere");
  });

  it("is stated by the caller without a session, for an agent that may do so", async () => {
    const states = {
      apiVersion: "quartermaster/v1",
      agents: agentsWith({ name: "free", attributes: { team: "support" }, stateHeldByServer: false }),
    };
    await save(states);
    const free = new Client(await keyOf("free"));
    const listed = await free.list("?machine=case&state=investigating");
    expect(listed.json.state).toBe("investigating");
    const answer = await free.call({ ...LOOK_UP, machine: "case", state: "triage" });
    expect(answer.json.state).toEqual({ before: "triage", after: "investigating" });
  });
});

describe("escalation", () => {
  let id: string;

  beforeEach(async () => {
    id = await open(reader, { group: ["*"], intent: "KNOWLEDGE", confidence: 0.9 });
  });

  const ask = (query: string) =>
    reader.call({ tool_id: "support:search_knowledge", arguments: { query }, session_id: id });

  it("comes after three identical calls, and gives back only what routing took", async () => {
    const narrow = (await reader.session(id)).json;
    expect([narrow.mode, narrow.tools.length]).toEqual(["restricted", 1]);
    await ask("refund");
    await ask("refund");
    expect((await reader.session(id)).json.escalated).toBe(false);
    await ask("refund");
    const wide = (await reader.session(id)).json;
    expect([wide.mode, wide.escalated]).toEqual(["full", true]);
    expect(wide.tools.map((tool) => tool.tool_id)).toEqual(idsOf((await reader.list()).json));
  });

  it("comes after two calls that failed or found nothing, refused ones included", async () => {
    await ask("zzzz");
    await reader.call({ tool_id: "support:get_order", arguments: { order_id: "O-5001" }, session_id: id });
    expect((await reader.session(id)).json.escalated).toBe(true);
  });

  it("does not escalate while calls make progress", async () => {
    await ask("refund");
    await ask("shipping");
    await ask("zzzz");
    await ask("jacket");
    expect((await reader.session(id)).json.escalated).toBe(false);
  });

  it("escalates when the agent reports no progress, only in a restricted mode and only once", async () => {
    const wide = await open(reader);
    expect((await reader.patch(wide, { no_progress: true })).json.escalated).toBe(false);
    expect((await reader.patch(id, { no_progress: true })).json).toMatchObject({ escalated: true, mode: "full" });
  });

  it("never passes the other steps", async () => {
    await reader.patch(id, { no_progress: true });
    const refused = await reader.call({
      tool_id: "support:refund_order",
      arguments: { order_id: "O-5001", amount: 1 },
      session_id: id,
    });
    expect(refused.json.error?.code).toBe("tool_not_available");
  });
});

function agentsWith(...agents: Record<string, unknown>[]): unknown[] {
  return [...(supportDocument()["agents"] as unknown[]), WALKER, ...agents];
}

describe("what the sessions of one caller hold", () => {
  it("is 8 MiB at most, whichever sessions it is in", async () => {
    const large = { question: "x", metadata: { filler: "x".repeat(900_000) } };
    const opened: number[] = [];
    for (let n = 0; n < 10; n += 1) opened.push((await reader.open(large)).status);
    expect(opened.filter((status) => status === 201)).toHaveLength(9);
    const refused = await reader.open<Problem>(large);
    expect([refused.status, refused.json.code]).toEqual([429, "quota_exceeded"]);
    expect((await worker.open(large)).status).toBe(201);
    await database.query("delete from agent_session where bytes > 800000");
    expect((await reader.open(large)).status).toBe(201);
    await database.query("delete from agent_session where bytes > 800000");
  });
});

describe("the sweep", () => {
  it("deletes sessions within a day of their end, a bounded number at a time, and no other", async () => {
    const ids = [await open(reader), await open(reader), await open(reader)];
    const now = new Date("2030-01-31T00:00:00Z");
    const expiries = ["2030-01-30T00:00:00Z", "2030-01-30T06:00:00Z", "2030-02-01T00:00:00Z"];
    for (const [at, id] of ids.entries())
      await database.query('update agent_session set "expiresAt" = $2 where id = $1', [id, expiries[at]]);
    await database.query(`insert into agent_session (id, issuer, subject, "group", state, "createdAt", "lastUsedAt", "expiresAt")
      select 'old-' || n, 'x', 'x', '[]', 'x', now(), now(), '2020-01-01' from generate_series(1, 1500) n`);
    expect(await sweepSessions(now)).toBe(1000);
    expect(await sweepSessions(now)).toBeGreaterThan(500);
    expect(await sweepSessions(now)).toBe(0);
    const left = await database.query<{ id: string }>("select id from agent_session where id = any($1)", [ids]);
    expect(left.map(({ id }) => id).toSorted()).toEqual(ids.slice(1).toSorted());
  });
});
