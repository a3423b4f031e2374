import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { POST as agentRoute } from "@/app/api/admin/[resource]/route";
import { POST as clearRoute } from "@/app/api/admin/labels/[name]/clear/route";
import { GET as heldRoute } from "@/app/api/admin/held-labels/route";
import { GET as holdersRoute } from "@/app/api/admin/labels/[name]/held/route";
import { GET as approvalRoute } from "@/app/api/admin/approvals/[id]/route";
import { POST as refuseRoute } from "@/app/api/admin/approvals/[id]/refuse/route";
import { POST as previewRoute } from "@/app/api/admin/preview/route";
import { readDenial } from "@/lib/admin/denial-today";
import { watchList } from "@/lib/agents/streams/watch-list";
import { agent } from "@/lib/auth/agents/agent";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";
import type { ApprovalDetail } from "@/lib/contracts/log/approval";
import { exportLog } from "@/lib/audit/export/export";
import { executionExportQuery } from "@/lib/contracts/log/execution-export";
import { labelsOfHolder } from "@/lib/contracts/log/held-label";
import { apiKeys } from "@/lib/store/config/api-keys";
import { getExecution } from "@/lib/store/log/executions";
import { clearLabel } from "@/lib/store/labels/holders";
import { sweepHeldLabels } from "@/lib/store/labels/held-labels";
import { ADMIN, Client, idsOf, keyOf, save, supportDocument, supportTool } from "@/test/api/agents-world";
import { builtinTools } from "@/lib/calls/builtin/index";
import { ask } from "@/test/support/admin";
import { ORIGIN, signIn } from "@/test/support/person";
import { runQueued } from "@/test/support/jobs/run-queued";
import { statementsOf } from "@/test/support/statements";
import { useDatabase } from "@/test/support/database";

// What a run has read decides what it may still do (docs/reference/decision.md#flow), for calls over every path.

const database = useDatabase();

const LOOKUP = { tool_id: "support:lookup_customer", arguments: { query: "ada" } };
const SEARCH = { tool_id: "support:search_knowledge", arguments: { query: "refund" } };
const SEND = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
const CLOCK = { tool_id: "builtin:current_date_time", arguments: {} };
/** Reads both kinds of data, and then tries to send. */
const SCRIPT = `export default async (args, { callTool }) => {
  await callTool("lookup_customer", { query: "ada" });
  await callTool("search_knowledge", { query: "refund" });
  return callTool("calculate", { expression: "1" }).then(() => "ran", ({ code }) => code);
};`;

const FLOWS: Record<string, { raises?: string[]; is?: string[] }> = {
  "support:lookup_customer": { raises: ["private"] },
  "support:search_knowledge": { raises: ["untrusted"] },
  "builtin:calculate": { is: ["outward"] },
  "builtin:current_date_time": { raises: ["draft"] },
};
const TRIFECTA = { name: "trifecta", when: ["private", "untrusted"], restrict: [{ is: "outward" }] };

function world(flows: readonly object[]): Record<string, unknown> {
  const document = supportDocument() as { sources: object[]; tools: object[]; policies: object[] };
  return {
    ...document,
    sources: [...document.sources, { name: "scripts", kind: "script" }],
    tools: [
      ...builtinTools().map(({ id }) => supportTool(id, { flow: FLOWS[id] ?? {} })),
      {
        id: "scripts:digest",
        description: "A script.",
        inputSchema: { type: "object" },
        groups: ["helpers"],
        run: { kind: "script", code: SCRIPT },
      },
    ],
    labels: [
      { name: "private", scope: "caller", holdMinutes: 60 },
      { name: "untrusted", scope: "caller", holdMinutes: 60 },
      { name: "draft", scope: "run" },
    ],
    flows,
  };
}

let reader: Client;
let other: Client;

beforeAll(async () => {
  await save(world([TRIFECTA]));
  reader = new Client(await keyOf("reader"));
  other = new Client(await keyOf("refunder"));
});
beforeEach(() => database.query("delete from held_label"));

/** Other processes' lists follow within 2 s (docs/reference/promises.md#immediacy); and some for a busy machine. */
const FOLLOWS_MS = 2_000 + 1_500;

const PRIVATE = { params: Promise.resolve({ name: "private" }) };

async function clear(input: object, cookie?: Record<string, string>): Promise<Response> {
  const body = JSON.stringify({ issuer: "quartermaster", subject: "reader", ...input });
  const headers = { "content-type": "application/json", ...(cookie ?? (await signIn("editor"))) };
  return clearRoute(
    new Request(`${ORIGIN}/api/admin/labels/private/clear`, { method: "POST", headers, body }),
    PRIVATE,
  );
}

async function holders(role: "admin" | "editor" | "auditor" = "auditor"): Promise<readonly { own: boolean }[]> {
  const sent = { role, params: { name: "private" } };
  return (await ask<{ items: { own: boolean }[] }>(holdersRoute, "GET", "/api/admin/labels/private/held", sent)).json
    .items;
}

/** The calls of the export of the log, each with its flow rules, as an auditor reads them. */
async function exportedRules(of: readonly string[]): Promise<string[][]> {
  const exporter = { actor: { kind: "user", name: "auditor", role: "auditor" }, requestId: null } as const;
  const query = executionExportQuery.parse({ columns: "callId,flowRules", sort: "at" });
  let text = "";
  for await (const part of (await exportLog(query, exporter)).parts) text += part;
  const rows = text.split("\r\n").map((line) => line.split(","));
  return rows.filter(([id = ""]) => of.includes(id));
}

const statusOf = async (client: Client, body: object) => (await client.call(body)).json.status;
const listed = async (client: Client, query = "") => idsOf((await client.list(query)).json);
const held = () =>
  database.query<{ label: string; session: string; toolId: string; until: Date | null }>(
    `select label, session, "toolId", until from held_label order by label, session`,
  );

describe("a label that a call raises", () => {
  it("restricts the next list and the next call, and the log says why", async () => {
    const first = await reader.call(LOOKUP);
    expect(first.json.status).toBe("succeeded");
    expect(await listed(reader)).toContain(SEND.tool_id);
    const second = await reader.call(SEARCH);
    expect(await listed(reader)).not.toContain(SEND.tool_id);
    const refused = await reader.call(SEND);
    expect(refused.json).toMatchObject({ status: "denied", error: { code: "tool_not_available" } });
    const [row] = await database.query(
      `select reason, request -> 'labels' as labels, request -> 'raisedBy' as by from execution
        join execution_outcome using ("callId") where "callId" = $1`,
      [refused.json.call_id],
    );
    const raised = [
      { label: "private", callId: first.json.call_id, toolId: LOOKUP.tool_id, at: expect.any(String) },
      { label: "untrusted", callId: second.json.call_id, toolId: SEARCH.tool_id, at: expect.any(String) },
    ];
    expect(row).toEqual({
      reason: "flow_restricted",
      labels: ["private", "untrusted"],
      by: Object.fromEntries(raised.map(({ label, ...by }) => [label, by])),
    });
    const logged = await getExecution(refused.json.call_id, { bodies: false });
    expect([logged?.raisedBy, logged?.flowRules]).toEqual([raised, ["trifecta"]]);
    const { message, details } = refused.json.error ?? {};
    expect(message).toMatch(/^Hidden by flow rule `trifecta` because of what you have read\. 20/);
    expect(message).toMatch(
      /Do not call it again: continue without it, or ask a person to clear one of these labels\.$/,
    );
    expect(message).toContain(`\`${SEARCH.tool_id}\` made you \`untrusted\` (${second.json.call_id})`);
    expect(details).toMatchObject({
      flow_rules: ["trifecta"],
      labels: ["private", "untrusted"],
      raised_by: [{ call_id: first.json.call_id }, { label: "untrusted", tool_id: SEARCH.tool_id }],
    });
    const denial = await readDenial(refused.json.call_id, ADMIN, Date.now());
    expect(denial?.raisedBy).toEqual(raised);
    expect(denial?.today.fix?.changes).toMatchObject([{ kind: "flow", refs: [{ name: "trifecta" }] }]);
    expect(denial).toMatchObject({ today: { verdict: "refused", reason: "flow_restricted" }, cause: null, grants: [] });
    expect(denial?.flow?.rules).toEqual(["trifecta"]);
    expect(denial?.flow?.held.map(({ label, subject, session, callId }) => [label, subject, session, callId])).toEqual([
      ["untrusted", "reader", null, second.json.call_id],
      ["private", "reader", null, first.json.call_id],
    ]);
    await save(world([{ ...TRIFECTA, effect: "approve" }]));
    const asking = await readDenial(refused.json.call_id, ADMIN, Date.now());
    expect(asking?.today).toMatchObject({ verdict: "allowed", needsApproval: true });
    await save(world([TRIFECTA]));
    // Cleared labels are no longer held, so a call like the refused one runs today.
    expect((await clear({ reason: "The ticket was checked by hand." })).status).toBe(204);
    const cleared = await readDenial(refused.json.call_id, ADMIN, Date.now());
    expect(cleared).toMatchObject({
      today: { verdict: "allowed", needsApproval: false },
      raisedBy: raised,
      flow: { rules: ["trifecta"] },
    });
    expect(cleared?.flow?.held.map(({ label }) => label)).toEqual(["untrusted"]);
  });

  it("is not named to a caller that would not have the tool without it", async () => {
    const stranger = new Client(await keyOf("stranger"));
    await database.query(`insert into held_label select 'quartermaster', 'stranger', '', label, 'call_x', 'x:y', now(), null
      from unnest(array['private', 'untrusted']) as label`);
    const { json } = await stranger.call(SEND);
    expect(json.error?.details).toBeUndefined();
    expect(json.error?.message).toBe("This tool is not available to you. List your tools to see the available ones.");
    // A policy hides the tool, so the log does not name the rule that would hide it too.
    expect((await getExecution(json.call_id, { bodies: false }))?.flowRules).toEqual([]);
  });

  it("is in the preview of the agent that holds it, and of the refused call", async () => {
    const calls = [await reader.call(LOOKUP), await reader.call(SEARCH)].map(({ json }) => json.call_id);
    const refused = await reader.call(SEND);
    const explain = [SEND.tool_id];
    for (const body of [
      { agent: "reader", explain },
      { executionId: refused.json.call_id, explain },
    ]) {
      const { json } = await ask<PreviewOutput>(previewRoute, "POST", "/api/admin/preview", { body });
      expect(json.explanations?.[SEND.tool_id]?.reason).toBe("flow_restricted");
      expect(json.raisedBy.map(({ callId }) => callId)).toEqual(calls);
    }
    const without = { agent: "reader", labels: [] };
    const { json } = await ask<PreviewOutput>(previewRoute, "POST", "/api/admin/preview", { body: without });
    expect(json.tools.map(({ toolId }) => toolId)).toContain(SEND.tool_id);
    expect(json.raisedBy).toEqual([]);
  });

  it("is the caller's: a new session and another key of the agent do not shed it, another caller does not hold it", async () => {
    await reader.call(LOOKUP);
    await reader.call(SEARCH);
    const session = (await reader.open({ group: ["*"] })).json;
    expect(session.tools.map(({ tool_id }) => tool_id)).not.toContain(SEND.tool_id);
    const again = new Client(await keyOf("reader", "reader-second"));
    expect(await statusOf(again, SEND)).toBe("denied");
    expect(await statusOf(other, SEND)).toBe("succeeded");
  });

  it("of a run is its session's, and the caller's without one", async () => {
    await save(world([{ name: "draft", when: ["draft"], restrict: [{ is: "outward" }] }]));
    const [one, two] = await Promise.all([reader.open({ group: ["*"] }), reader.open({ group: ["*"] })]);
    const [first, second] = [one.json.session_id, two.json.session_id];
    expect(await statusOf(reader, { ...CLOCK, session_id: first })).toBe("succeeded");
    expect(await statusOf(reader, { ...SEND, session_id: first })).toBe("denied");
    expect(await statusOf(reader, { ...SEND, session_id: second })).toBe("succeeded");
    expect(await statusOf(reader, SEND)).toBe("succeeded");
    await reader.call(CLOCK);
    expect(await statusOf(reader, { ...SEND, session_id: second })).toBe("denied");
    await database.query("delete from agent_session where id = $1", [first]);
    await sweepHeldLabels(new Date());
    expect(await held()).toMatchObject([{ label: "draft", session: "", until: null }]);
    await save(world([TRIFECTA]));
  });

  it("ends when its time is over, and a further raise prolongs it", async () => {
    await reader.call(LOOKUP);
    const [before] = await held();
    await reader.call(LOOKUP);
    const [after] = await held();
    expect(after?.until?.getTime()).toBeGreaterThanOrEqual(before?.until?.getTime() ?? Infinity);
    await reader.call(SEARCH);
    expect(await listed(reader)).not.toContain(SEND.tool_id);
    await database.query(`update held_label set until = now() - interval '1 second' where label = 'private'`);
    expect(await listed(reader)).toContain(SEND.tool_id);
    await sweepHeldLabels(new Date());
    expect((await held()).map(({ label }) => label)).toEqual(["untrusted"]);
  });

  it.each([
    ["was cleared", "delete from held_label"],
    ["ended", "update held_label set until = now() - interval '1 second'"],
  ])("is raised again by the result of its call where it %s while the call ran", async (_what, change) => {
    const meanwhile = (sql: string) => (): Dependencies => {
      const deps = production();
      return {
        ...deps,
        writeOutcome: async (outcome, move) => {
          await database.query(sql);
          return deps.writeOutcome(outcome, move);
        },
      };
    };
    const session = (await reader.open({ group: ["*"] })).json.session_id;
    for (const body of [LOOKUP, { ...LOOKUP, session_id: session }]) {
      await new Client(reader.credential, meanwhile(change)).call(body);
      const [again] = await held();
      expect([again?.label, again?.session]).toEqual(["private", ""]);
      expect(again?.until?.getTime()).toBeGreaterThan(Date.now() + 59 * 60_000);
    }
    // A label that is still held keeps its end.
    const end = new Date(Date.now() + 60_000);
    await new Client(reader.credential, meanwhile(`update held_label set until = '${end.toISOString()}'`)).call(LOOKUP);
    expect((await held())[0]?.until).toEqual(end);
  });

  it("is not raised by a refused call", async () => {
    const refused = await reader.call({ ...LOOKUP, arguments: {} });
    expect(refused.json.error?.code).toBe("invalid_arguments");
    expect(await held()).toEqual([]);
  });

  it("is not raised by a call that a rule hides, or that a person refuses", async () => {
    const rule = { name: "guard", when: ["untrusted"], restrict: [{ tool: LOOKUP.tool_id }] };
    await save(world([rule]));
    await reader.call(SEARCH);
    expect(await statusOf(reader, LOOKUP)).toBe("denied");
    await save(world([{ ...rule, effect: "approve" }]));
    const { status, call_id: id } = (await reader.call(LOOKUP)).json;
    expect(status).toBe("awaiting_approval");
    const body = { reason: "Not today." };
    const refused = await ask(refuseRoute, "POST", `/api/admin/approvals/${id}/refuse`, { params: { id }, body });
    expect(refused.status).toBe(200);
    expect((await held()).map(({ label }) => label)).toEqual(["untrusted"]);
    await save(world([TRIFECTA]));
  });

  it("is raised by the calls of a script, on the run that started it", async () => {
    const done = await reader.call<{ status: string; output: unknown }>({ tool_id: "scripts:digest", arguments: {} });
    expect(done.json).toMatchObject({ status: "succeeded", output: "tool_not_available" });
    expect(await listed(reader)).not.toContain(SEND.tool_id);
  });
});

describe("calls at the same time", () => {
  it("never deadlock, and raise each label once", async () => {
    const bodies = Array.from({ length: 64 }, (_, n) => (n % 2 === 0 ? LOOKUP : SEARCH));
    const errors: unknown[] = [];
    for (let first = 0; first < bodies.length; first += 16) {
      const done = await Promise.all(bodies.slice(first, first + 16).map((body) => reader.call(body)));
      errors.push(...done.flatMap(({ json }) => json.error ?? []));
    }
    expect(errors).toEqual([]);
    expect((await held()).map(({ label }) => label)).toEqual(["private", "untrusted"]);
  });

  it("send at most three statements each", async () => {
    for (const body of [LOOKUP, SEARCH, LOOKUP]) {
      const statements = await statementsOf(() => reader.call(body));
      expect(statements.length).toBeLessThanOrEqual(3);
    }
    expect((await statementsOf(() => reader.call(SEND))).length).toBeLessThanOrEqual(3);
  });

  it("decided before a label was raised are decided again", async () => {
    await reader.call(LOOKUP);
    let raised = false;
    const between = (): Dependencies => {
      const deps = production();
      return {
        ...deps,
        writeIntent: async (intent, preconditions) => {
          if (!raised) {
            raised = true;
            await reader.call(SEARCH);
          }
          return deps.writeIntent(intent, preconditions);
        },
      };
    };
    const late = new Client(reader.credential, between);
    expect(await statusOf(late, SEND)).toBe("denied");
  });
});

describe("a result that is delivered again", () => {
  it("by its idempotency key raises the labels again", async () => {
    const headers = { "idempotency-key": "once" };
    const first = await reader.call(LOOKUP, headers);
    await database.query("delete from held_label");
    const again = await reader.call(LOOKUP, headers);
    expect(again.json.call_id).toBe(first.json.call_id);
    expect((await held()).map(({ label }) => label)).toEqual(["private"]);
  });

  it("from an async call raises them when it starts, and on its reader", async () => {
    const accepted = await reader.call({ ...LOOKUP, mode: "async" });
    expect(accepted.json.status).toBe("pending");
    expect(await held()).toEqual([]);
    await runQueued(accepted.json.call_id, production());
    expect((await held()).map(({ label }) => label)).toEqual(["private"]);
    await database.query("delete from held_label");
    expect((await reader.read(accepted.json.call_id)).json.status).toBe("succeeded");
    expect((await held()).map(({ label }) => label)).toEqual(["private"]);
  });

  it("an async call is decided again under the labels that are held when it starts", async () => {
    await reader.call(LOOKUP);
    const accepted = await reader.call({ ...SEND, mode: "async" });
    await reader.call(SEARCH);
    await runQueued(accepted.json.call_id, production());
    expect((await reader.read(accepted.json.call_id)).json.status).toBe("denied");
  });
});

/** Notes for each change of a caller's open list whether the list has the tool that sends. */
async function watch({ credential }: Client, seen: boolean[]): Promise<() => void> {
  const headers = { authorization: `Bearer ${credential}` };
  const caller = await agent()(new Request("http://127.0.0.1:3000/api/agents/stream", { headers }));
  const { stop } = await watchList({
    caller,
    stated: {},
    sessionId: null,
    requestId: "watch",
    changed: ({ resolution }) => seen.push(resolution.tools.some(({ tool }) => tool.id === SEND.tool_id)),
    ended: () => {},
  });
  return stop;
}

describe("an open list", () => {
  it("follows within 2 s when a call of the caller raises a label, and when a person clears it", async () => {
    const seen: boolean[] = [];
    const seenByOther: boolean[] = [];
    const stops = [await watch(reader, seen), await watch(other, seenByOther)];
    try {
      await reader.call(LOOKUP);
      await reader.call(SEARCH);
      await vi.waitFor(() => expect(seen.at(-1)).toBe(false), { timeout: FOLLOWS_MS });
      await reader.call(SEARCH);
      expect((await clear({ reason: "checked" })).status).toBe(204);
      await vi.waitFor(() => expect(seen.at(-1)).toBe(true), { timeout: FOLLOWS_MS });
      // The first label alone and a prolonged label change no list, and no list of another caller changes.
      expect([seen, seenByOther]).toEqual([[false, true], []]);
    } finally {
      stops.forEach((stop) => stop());
    }
  });
});

describe("the labels of a holder", () => {
  const of = async (query: string) => {
    const { status, json } = await ask(heldRoute, "GET", `/api/admin/held-labels?${query}`, { role: "auditor" });
    return { status, held: (json.items ?? []).map(({ label, session, toolId }) => [label, session, toolId]) };
  };

  it("are listed for an agent with its sessions, and for a session with its caller", async () => {
    const [one, two] = [(await reader.open({ group: ["*"] })).json, (await reader.open({ group: ["*"] })).json];
    await reader.call({ ...CLOCK, session_id: one.session_id });
    await reader.call(LOOKUP);
    const ofCaller = ["private", null, LOOKUP.tool_id];
    const ofSession = ["draft", one.session_id, CLOCK.tool_id];
    expect(await of("agent=reader")).toEqual({ status: 200, held: [ofCaller, ofSession] });
    expect(await of(`session=${one.session_id}`)).toEqual({ status: 200, held: [ofCaller, ofSession] });
    expect(await of(`session=${two.session_id}`)).toEqual({ status: 200, held: [ofCaller] });
    expect(await of("agent=refunder")).toEqual({ status: 200, held: [] });
    expect([(await of("agent=nobody")).status, (await of("session=s")).status, (await of("")).status]).toEqual([
      404, 404, 400,
    ]);
  });
});

describe("the labels of a logged session", () => {
  it("are those that its calls raised, each until its end, with who cleared it", async () => {
    const session = (await reader.open({ group: ["*"] })).json.session_id;
    const inSession = (body: object) => reader.call({ ...body, session_id: session });
    const first = (await inSession(LOOKUP)).json.call_id;
    await inSession(LOOKUP);
    const [prolonged] = await held();
    await inSession(CLOCK);
    await clear({ reason: "The ticket was checked by hand." });
    const again = (await inSession(LOOKUP)).json.call_id;
    await reader.call(SEARCH);
    const { json } = await ask(heldRoute, "GET", `/api/admin/held-labels?session=${session}`, { role: "auditor" });
    const { history } = labelsOfHolder.parse(json);
    expect(history).toMatchObject([
      { label: "private", scope: "caller", callId: first, calls: 2, cleared: { by: "editor@example.com" } },
      { label: "draft", scope: "run", toolId: CLOCK.tool_id, calls: 1, until: null, cleared: null },
      { label: "private", callId: again, calls: 1, cleared: null },
    ]);
    expect(history[0]?.until).toBe(prolonged?.until?.toISOString());
  });

  it("are raised again by the result of a call during which a person cleared them", async () => {
    const session = (await reader.open({ group: ["*"] })).json.session_id;
    const slow = new Client(reader.credential, (): Dependencies => {
      const deps = production();
      return {
        ...deps,
        writeOutcome: async (outcome, move) => {
          await clear({ reason: "The ticket was checked by hand." });
          return deps.writeOutcome({ ...outcome, at: new Date(Date.now() + 1) }, move);
        },
      };
    });
    const { call_id: callId } = (await slow.call({ ...LOOKUP, session_id: session })).json;
    const { json } = await ask(heldRoute, "GET", `/api/admin/held-labels?session=${session}`, { role: "auditor" });
    const { history } = labelsOfHolder.parse(json);
    expect(history).toMatchObject([
      { label: "private", callId, calls: 1, byResult: false, cleared: { by: "editor@example.com" } },
      { label: "private", callId, calls: 1, byResult: true, cleared: null },
    ]);
    const [first, again] = history;
    const heldMs = (one: typeof first) => Date.parse(one?.until ?? "") - Date.parse(one?.at ?? "");
    expect(heldMs(again)).toBe(heldMs(first));
    expect(Date.parse(again?.at ?? "")).toBeGreaterThan(Date.parse(first?.cleared?.at ?? ""));
  });
});

describe("clearing a label", () => {
  it("needs a reason, is recorded, and returns the tools", async () => {
    await reader.call(LOOKUP);
    await reader.call(SEARCH);
    expect(await holders()).toMatchObject([{ subject: "reader", session: null, toolId: LOOKUP.tool_id }]);
    expect((await clear({ reason: " " })).status).toBe(400);
    expect((await clear({ reason: "The ticket was checked by hand." })).status).toBe(204);
    expect(await listed(reader)).toContain(SEND.tool_id);
    expect((await clear({ reason: "again" })).status).toBe(404);
    const [event] =
      await database.query(`select actor, target, detail, issuer, subject, session from audit_event where action = 'labels.cleared'
      order by at desc limit 1`);
    expect(event).toMatchObject({
      target: "private",
      detail: "reader (quartermaster): The ticket was checked by hand.",
      issuer: "quartermaster",
      subject: "reader",
      session: null,
    });
  });

  it("does not clear what a later call raised, with and without an end", async () => {
    const session = (await reader.open({ group: ["*"] })).json.session_id;
    for (const [body, label, of] of [
      [LOOKUP, "private", null],
      [{ ...CLOCK, session_id: session }, "draft", session],
    ] as const) {
      const seen = async () => {
        const { json } = await ask(heldRoute, "GET", `/api/admin/held-labels?session=${session}`, { role: "auditor" });
        return labelsOfHolder.parse(json).items.find((item) => item.label === label)?.lastAt;
      };
      const clearSeen = async (lastAt: string | undefined) => {
        const actor = { kind: "user", name: "editor", role: "editor" } as const;
        const input = { issuer: "quartermaster", subject: "reader", session: of, reason: "read by hand" };
        await clearLabel({ actor, requestId: "request" }, label, { ...input, ...(lastAt !== undefined && { lastAt }) });
      };
      await reader.call(body);
      const first = await seen();
      await reader.call(body);
      await expect(clearSeen(first)).rejects.toMatchObject({ code: "stale" });
      expect((await held()).map((row) => row.label)).toContain(label);
      await clearSeen(await seen());
      expect((await held()).map((row) => row.label)).not.toContain(label);
    }
  });

  it("is refused to the person who created the agent, whom the list tells so", async () => {
    const cookie = await signIn("admin");
    const made = await agentRoute(
      new Request(`${ORIGIN}/api/admin/agents`, {
        method: "POST",
        headers: { "content-type": "application/json", ...cookie },
        body: JSON.stringify({ name: "mine", attributes: { team: "support" } }),
      }),
      { params: Promise.resolve({ resource: "agents" }) },
    );
    expect(made.status).toBe(201);
    await reader.call(LOOKUP);
    await new Client(await keyOf("mine")).call(LOOKUP);
    expect((await clear({ subject: "mine", reason: "because" }, cookie)).status).toBe(403);
    expect((await held()).map(({ label }) => label)).toEqual(["private", "private"]);
    const ownTo = async (role: "admin" | "editor") =>
      (await ask(heldRoute, "GET", "/api/admin/held-labels?agent=mine", { role })).json.items?.map(({ own }) => own);
    expect([await ownTo("admin"), await ownTo("editor")]).toEqual([[true], [false]]);
    const ownHolders = async (role: "admin" | "editor") => (await holders(role)).filter(({ own }) => own).length;
    expect([await ownHolders("admin"), await ownHolders("editor"), (await holders()).length]).toEqual([1, 0, 2]);
    await apiKeys.remove(ADMIN, "mine-key");
  });
});

describe("a rule that asks for approval", () => {
  it("hides nothing: the call waits for a person", async () => {
    await save(world([{ ...TRIFECTA, effect: "approve" }]));
    expect(await statusOf(reader, SEND)).toBe("succeeded");
    await reader.call(LOOKUP);
    await reader.call(SEARCH);
    expect(await listed(reader)).toContain(SEND.tool_id);
    const waiting = (await reader.call(SEND)).json;
    expect(waiting.status).toBe("awaiting_approval");
    const id = waiting.call_id;
    const { json } = await ask<ApprovalDetail>(approvalRoute, "GET", `/api/admin/approvals/${id}`, { params: { id } });
    expect(json.raisedBy.map(({ label, toolId }) => [label, toolId])).toEqual([
      ["private", LOOKUP.tool_id],
      ["untrusted", SEARCH.tool_id],
    ]);
    await save(world([TRIFECTA]));
    const refused = (await reader.call(SEND)).json.call_id;
    expect(await exportedRules([id, refused])).toEqual([
      [id, "trifecta"],
      [refused, "trifecta"],
    ]);
  });
});

describe("a rule that is observed or inactive", () => {
  it.each([{ mode: "observe" }, { active: false }])("restricts nothing: %j", async (change) => {
    await save(world([{ ...TRIFECTA, ...change }]));
    await reader.call(LOOKUP);
    await reader.call(SEARCH);
    expect(await statusOf(reader, SEND)).toBe("succeeded");
    await save(world([TRIFECTA]));
    expect(await statusOf(reader, SEND)).toBe("denied");
  });

  it.each([
    [{ mode: "observe" }, "The caller holds `private`, `untrusted`, and no rule hides the tool for that."],
    // Such a call reads no labels, so its row cannot say that the caller holds none.
    [{ active: false }, "No flow rule is enforced, so labels hide no tool."],
  ])("is explained without a claim that its caller holds no labels: %j", async (change, detail) => {
    await save(world([{ ...TRIFECTA, ...change }]));
    for (const read of [LOOKUP, SEARCH]) await reader.call(read);
    const { call_id: executionId } = (await reader.call(SEND)).json;
    const body = { executionId, explain: [SEND.tool_id] };
    const { json } = await ask<PreviewOutput>(previewRoute, "POST", "/api/admin/preview", { body });
    expect(json.explanations?.[SEND.tool_id]?.steps.find(({ step }) => step === "flow")).toMatchObject({ detail });
  });
});
