import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GET as listDenials } from "@/app/api/admin/denials/route";
import { GET as listExecutions } from "@/app/api/admin/executions/route";
import { GET as countExecutions } from "@/app/api/admin/executions/histogram/route";
import { GET as listAudit } from "@/app/api/admin/audit/route";
import { POST as changeMany } from "@/app/api/admin/bulk/[section]/route";
import { sealSettled } from "@/lib/audit/seal/sealer";
import { proveExecution } from "@/lib/audit/verify/proof";
import { verifyLog } from "@/lib/audit/verify/verify";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import { resources, type Row } from "@/lib/resources/index";
import { getExecution } from "@/lib/store/log/executions";
import { closeDatabase } from "@/lib/store/db/database";
import { flushRefusals } from "@/lib/store/audit/refusals";
import { stores } from "@/lib/store/config/index";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// The reason for disabling a row: stored, and shown to callers that would otherwise see it (docs/reference/decision.md#enabled).

useDatabase();

const ID = "support:lookup_customer";
const CALL = { tool_id: ID, arguments: { email: "ada@example.com" } };
/** A row that counts the attempts of a disabled agent. */
const attemptsRow = (reason: string, attempts: number) => ({
  status: "denied",
  code: "unauthenticated",
  toolId: null,
  asked: "",
  reason,
  attempts,
});
const REASON = "It answers with customers of another region — see ticket 7";
const NOT_AVAILABLE = "This tool is not available to you. List your tools to see the available ones.";

let reader: Client;
let stranger: Client;

beforeAll(async () => {
  await save(supportDocument());
  reader = new Client(await keyOf("reader"));
  stranger = new Client(await keyOf("stranger"));
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

async function change<R extends "tools" | "sources" | "agents">(
  resource: R,
  id: string,
  changes: { enabled: boolean; disabledReason?: string | null },
): Promise<Row<R>> {
  const { revision, createdAt: _created, updatedAt: _updated, ...row } = await stores[resource].get(id);
  const { definitionHash: _hash, ...input } = { definitionHash: "", ...row };
  const put = stores[resource].replace as (...args: unknown[]) => Promise<Row<R>>;
  return put(ADMIN, id, resources[resource].input.parse({ ...input, ...changes }), revision);
}

/** The answers to both callers when they call the tool. */
async function refusalMessages(): Promise<(string | undefined)[]> {
  const answers = [await reader.call(CALL), await stranger.call(CALL)];
  for (const { status, json } of answers) {
    expect([status, json.error?.code]).toEqual([404, "tool_not_available"]);
    expect(json.error?.retryable).toBe(false);
  }
  return answers.map(({ json }) => json.error?.message);
}

describe("a disabled tool", () => {
  it("tells its reason to callers that would have it, to no others, and to the log", async () => {
    await change("tools", ID, { enabled: false, disabledReason: REASON });
    expect(await refusalMessages()).toEqual([`Disabled by an administrator: ${REASON}`, NOT_AVAILABLE]);
    const { json } = await reader.call(CALL);
    expect((await getExecution(json.call_id, { bodies: false }))?.reason).toBe("tool_disabled");
  });

  it("without a reason is refused like any other", async () => {
    await change("tools", ID, { enabled: false, disabledReason: null });
    expect(await refusalMessages()).toEqual([NOT_AVAILABLE, NOT_AVAILABLE]);
  });

  it("forgets its reason when it is enabled again", async () => {
    await change("tools", ID, { enabled: false, disabledReason: REASON });
    const row = await change("tools", ID, { enabled: true });
    expect(row).toMatchObject({ enabled: true, disabledReason: null });
    expect((await reader.call(CALL)).json.error?.code).not.toBe("tool_not_available");
  });

  it("keeps its reason in the configuration document", async () => {
    const disabled = { ...(await stores.tools.get(ID)), enabled: false, disabledReason: REASON };
    const { revision: _revision, createdAt: _at, updatedAt: _changed, definitionHash: _hash, ...input } = disabled;
    const { tools } = supportDocument() as { tools: { id: string }[] };
    await save({ apiVersion: "quartermaster/v1", tools: tools.map((tool) => (tool.id === ID ? input : tool)) });
    expect(await stores.tools.get(ID)).toMatchObject({ enabled: false, disabledReason: REASON });
    await save(supportDocument());
  });
});

describe("a disabled source", () => {
  it("tells its reason, which comes before the tool's own", async () => {
    await change("tools", ID, { enabled: false, disabledReason: "of the tool" });
    await change("sources", "support", { enabled: false, disabledReason: "The desk moves" });
    expect(await refusalMessages()).toEqual(["Disabled by an administrator: The desk moves", NOT_AVAILABLE]);
    await save(supportDocument());
  });
});

describe("a disabled agent", () => {
  it("receives the reason, in a challenge of printable ASCII", async () => {
    await change("agents", "reader", { enabled: false, disabledReason: 'Its key\nleaked — "rotate" it' });
    const { status, headers, json } = await reader.list<{ detail: string }>();
    expect(status).toBe(401);
    expect(json.detail).toBe('The agent is disabled: Its key\nleaked — "rotate" it');
    expect(headers.get("www-authenticate")).toContain(
      `error_description="The agent is disabled: Its key?leaked ? 'rotate' it"`,
    );
    await save(supportDocument());
  });
});

describe("the attempts of a disabled agent", () => {
  it("appear in the audit trail under its name, one row per minute and reason", async () => {
    await change("agents", "reader", { enabled: false, disabledReason: "Its key leaked" });
    await flushRefusals();
    await reader.list();
    await reader.call(CALL);
    await flushRefusals();
    const { json } = await ask(listAudit, "GET", "/api/admin/audit?actor=reader&action=refused.credential");
    expect(json.items[0]).toMatchObject({
      actor: { kind: "agent", name: "reader" },
      detail: "The agent is disabled: Its key leaked",
      count: 2,
    });
    await save(supportDocument());
  });

  it("are one sealed row of the log per minute and reason, which the filters by agent and outcome find", async () => {
    await flushRefusals();
    const from = new Date().toISOString();
    await change("agents", "reader", { enabled: false, disabledReason: "Its key leaked" });
    for (let number = 0; number < 41; number += 1) await reader.call(CALL);
    await flushRefusals();
    await change("agents", "reader", { enabled: false, disabledReason: null });
    await reader.list();
    await flushRefusals();
    const query = `agent=reader&status=denied&from=${from}`;
    const { json } = await ask(listExecutions, "GET", `/api/admin/executions?${query}`);
    expect(json).toMatchObject({
      total: 2,
      items: [attemptsRow("agent_disabled", 1), attemptsRow("agent_disabled: Its key leaked", 41)],
    });
    const { json: counted } = await ask(countExecutions, "GET", `/api/admin/executions/histogram?${query}`);
    expect((counted.buckets as { denied: number }[]).reduce((sum, { denied }) => sum + denied, 0)).toBe(2);
    const [row] = json.items as ExecutionRow[];
    expect((await getExecution(row!.callId, { bodies: true }))?.error?.message).toBe("The agent is disabled.");
    await sealSettled();
    expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true, unsealed: 0 });
    expect(await proveExecution(row!.callId)).not.toBeNull();
    await save(supportDocument());
  });

  it("are in no inbox of refusals, because no grant helps", async () => {
    const { json } = await ask(listDenials, "GET", "/api/admin/denials?agent=reader");
    expect((json.items as { reason: string }[]).filter(({ reason }) => reason.startsWith("agent_disabled"))).toEqual(
      [],
    );
  });
});

describe("disabling many rows", () => {
  const body = (changes: object) => ({
    rows: { query: { source: "support" } },
    change: { kind: "set", field: "enabled", value: false, reason: "Stocktaking", ...changes },
  });
  const send = (section: string, sent: object) =>
    ask(changeMany, "POST", `/api/admin/bulk/${section}`, { params: { section }, body: sent });

  it("keeps the reason of each, except of those that were disabled already", async () => {
    await change("tools", ID, { enabled: false, disabledReason: REASON });
    expect((await send("tools", body({}))).status).toBe(200);
    const { items } = await stores.tools.list({ source: "support", limit: 100 });
    expect(items.length).toBeGreaterThan(1);
    for (const { id, enabled, disabledReason } of items)
      expect({ id, enabled, disabledReason }).toEqual({
        id,
        enabled: false,
        disabledReason: id === ID ? REASON : "Stocktaking",
      });
    await save(supportDocument());
  });

  it.each([
    ["tools", { value: true }],
    ["tools", { field: "requiresApproval" }],
    ["issuers", {}],
  ])("refuses a reason where none is kept: %s %j", async (section, changes) => {
    const sent = { ...body(changes), rows: section === "tools" ? { ids: [ID] } : { query: {} } };
    const { status } = await send(section, sent);
    expect(status).toBe(section === "tools" ? 400 : 200);
  });
});
