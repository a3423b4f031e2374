import { beforeAll, describe, expect, it } from "vitest";
import { PUT } from "@/app/api/admin/config/route";
import { GET as readMachine } from "@/app/api/admin/[resource]/[id]/route";
import { POST as preview } from "@/app/api/admin/preview/route";
import { previewOutput } from "@/lib/contracts/decisions/preview";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

useDatabase();

const tool = (operation: string) => ({
  id: `desk:${operation}`,
  description: operation,
  inputSchema: { type: "object" },
});
const stored = {
  name: "ticket",
  initial: "open",
  states: [{ name: "open" }, { name: "closed", terminal: true }],
  rules: [{ tool: "desk:close", availableIn: ["open"], transitions: [{ from: "*", to: "closed" }] }],
};
const draft = {
  ...stored,
  states: [...stored.states, { name: "reopened" }],
  rules: [
    ...stored.rules,
    { tool: "desk:reopen", availableIn: ["closed"], transitions: [{ from: "closed", to: "reopened" }] },
  ],
};

const edited = (input: object) => ({ resource: "machines", id: "ticket", input });

async function seen(body: object) {
  const got = await ask(preview, "POST", "/api/admin/preview", { body: { claims: {}, ...body } });
  expect([got.status, got.text.slice(0, 300)]).toEqual([200, expect.anything()]);
  const { state, machine, tools, hidden } = previewOutput.parse(got.json);
  return {
    state,
    machine,
    raises: Object.fromEntries(tools.flatMap(({ toolId, raises }) => (raises.length > 0 ? [[toolId, raises]] : []))),
    next: Object.fromEntries(tools.map(({ toolId, nextState }) => [toolId, nextState])),
    hidden: Object.fromEntries(hidden.map(({ toolId, reason }) => [toolId, reason])),
  };
}

beforeAll(async () => {
  const body = {
    apiVersion: "quartermaster/v1",
    sources: [{ name: "desk", kind: "http" }],
    labels: [{ name: "private", scope: "caller" }],
    tools: [tool("close"), { ...tool("note"), flow: { raises: ["private"] } }, tool("reopen")],
    flows: [{ name: "closed-after-reading", when: ["private"], restrict: [{ tool: "desk:close" }] }],
    policies: [{ name: "all", everyone: true, groups: ["*"] }],
    machines: [stored],
    agents: [{ name: "bound", machine: "ticket" }],
  };
  await ask(PUT, "PUT", "/api/admin/config", { body });
});

describe("a preview", () => {
  it("states for each tool the state after a successful call", async () => {
    expect(await seen({ machine: "ticket" })).toEqual({
      state: "open",
      machine: "ticket",
      raises: { "desk:note": ["private"] },
      next: { "desk:close": "closed", "desk:note": "open", "desk:reopen": "open" },
      hidden: {},
    });
    expect((await seen({ machine: "ticket", state: "closed" })).hidden).toEqual({ "desk:close": "state_mismatch" });
  });
  it("states the labels that each tool raises, and hides what flow rules restrict", async () => {
    expect((await seen({ machine: "ticket", labels: ["private"] })).hidden).toEqual({
      "desk:close": "flow_restricted",
    });
  });
  it("of an edited machine uses the draft, and leaves the stored one unchanged", async () => {
    expect(await seen({ draft: edited(draft) })).toMatchObject({
      state: "open",
      machine: "ticket",
      hidden: { "desk:reopen": "state_mismatch" },
    });
    expect((await seen({ draft: edited(draft), state: "closed" })).next).toEqual({
      "desk:note": "closed",
      "desk:reopen": "reopened",
    });
    const params = { resource: "machines", id: "ticket" };
    const row = await ask(readMachine, "GET", "/api/admin/machines/ticket", { params });
    expect(row.json).toMatchObject({ states: [{ name: "open" }, { name: "closed" }] });
    expect((await seen({ machine: "ticket" })).next).toHaveProperty("desk:reopen");
  });
  it("tries a machine that was never saved", async () => {
    const made = { resource: "machines", input: { ...draft, name: "new", initial: "closed" } };
    expect(await seen({ draft: made })).toMatchObject({
      machine: "new",
      state: "closed",
    });
  });
  it("refuses a draft at its fields, and an agent that has another machine", async () => {
    const refusals = [
      [edited({ ...draft, initial: "nowhere" }), "draft.input.initial"],
      [{ resource: "machines", input: draft }, "draft.input.name"],
      [{ resource: "machines", id: "gone", input: draft }, "draft.id"],
      [{ resource: "machines" }, "draft"],
      [{ resource: "agents", input: { name: "x" } }, "draft.resource"],
    ] as const;
    for (const [wrong, path] of refusals)
      expect(await ask(preview, "POST", "/api/admin/preview", { body: { draft: wrong } })).toMatchObject({
        status: 400,
        json: { errors: [{ path }] },
      });
    const body = { draft: { resource: "machines", input: { ...draft, name: "new" } }, agent: "bound" };
    expect(await ask(preview, "POST", "/api/admin/preview", { body })).toMatchObject({
      status: 400,
      json: { errors: [{ path: "machine", message: expect.stringContaining("`ticket`") }] },
    });
  });
});
