import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { POST } from "@/app/api/admin/preview/route";
import { setUp } from "@/bin/first-start";
import { manifestFormat } from "@/lib/contracts/agents/agent-api";
import { previewOutput, type PreviewOutput } from "@/lib/contracts/decisions/preview";
import { policyInput } from "@/lib/resources/policy";
import type { Role } from "@/lib/resources/permissions";
import { tools as toolRows } from "@/lib/store/config/tools";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot, currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { write } from "@/lib/store/save/write";
import { ADMIN, Client, idsOf } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

const database = useDatabase();
let bot: Client;

beforeAll(async () => {
  bot = new Client((await setUp({ demo: true })).apiKey ?? "");
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

async function post(body: object, role: Role = "editor"): Promise<Response> {
  const headers = { "content-type": "application/json", ...(await signIn(role)) };
  return POST(new Request(`${ORIGIN}/api/admin/preview`, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function preview(body: object, role: Role = "editor"): Promise<PreviewOutput> {
  const response = await post(body, role);
  const json: unknown = await response.json();
  expect(json).not.toHaveProperty("errors");
  return previewOutput.parse(json);
}

/** A list in a vendor's format. */
interface Manifest {
  readonly data: readonly object[];
  readonly tokens: number;
  readonly notes?: readonly object[];
}

const visible = ({ tools }: PreviewOutput) => tools.map(({ toolId }) => toolId);

async function pathsRefused(body: object): Promise<string[]> {
  const response = await post(body);
  expect(response.status).toBe(400);
  return ((await response.json()) as { errors: { path: string }[] }).errors.map(({ path }) => path);
}

describe("a preview of an agent", () => {
  test("renders a vendor's format like the agent API, with its tokens and its notes", async () => {
    for (const format of ["openai", "anthropic", "mcp"] as const) {
      const { data, tokens, notes = [] } = (await bot.list<Manifest>(`?format=${format}`)).json;
      const previewed = await preview({ agent: "support-bot", manifest: format });
      expect(previewed.manifest).toEqual(data);
      expect([previewed.manifestTokens, previewed.manifestNotes]).toEqual([tokens, notes]);
    }
  });

  test("gives the tokens of every format, equal to those of its manifest", async () => {
    const { manifestSizes } = await preview({ agent: "support-bot", manifestSizes: true });
    for (const format of manifestFormat.options) {
      const { manifestTokens } = await preview({ agent: "support-bot", manifest: format });
      expect([format, manifestSizes?.[format]]).toEqual([format, manifestTokens]);
    }
  });

  test("lists what the agent's endpoint lists: same tools, same order, same etag, same manifest", async () => {
    for (const [asked, query] of [
      [{}, ""],
      [{ group: ["support-read"] }, "?group=support-read"],
      [{ group: [] }, "?group="],
      [{ state: "investigating" }, "?state=investigating"],
      [{ profile: "subagent" }, "?profile=subagent"],
      [{ intent: "KNOWLEDGE", confidence: 0.9 }, "?intent=KNOWLEDGE&confidence=0.9"],
    ] as const) {
      const listed = await bot.list(query);
      const previewed = await preview({ agent: "support-bot", manifest: "native", ...asked });
      expect(visible(previewed)).toEqual(idsOf(listed.json));
      expect(listed.headers.get("etag")).toContain(previewed.etag);
      expect(previewed.manifest).toEqual(listed.json.data);
    }
  });
  test("renders the manifest that the agent's client would receive, in each vendor's format", async () => {
    for (const format of manifestFormat.options) {
      const listed = await bot.list(`?format=${format}`);
      expect((await preview({ agent: "support-bot", manifest: format })).manifest).toEqual(listed.json.data);
    }
  });
  test("has its machine, persona and attributes, as at the endpoint", async () => {
    const answer = await preview({ agent: "support-bot", state: "investigating" });
    expect(answer).toMatchObject({ machine: "ticket-desk", state: "investigating" });
    expect(answer.claims).toMatchObject({ team: "support", sub: "support-bot", iss: "quartermaster" });
    expect(visible(answer)).toContain("support:close_ticket");
  });
  test("with a token's claims reads its attributes below `qm.agent`", async () => {
    const answer = await preview({ agent: "support-bot", claims: { team: "support", qm: "forged" } });
    expect(answer.claims["qm"]).toEqual({ agent: { team: "support", employment: "staff", roles: ["refunds"] } });
  });
});

describe("a preview of a persona", () => {
  test("tries its sample claims and its capabilities", async () => {
    const answer = await preview({ persona: "first-line" });
    expect(answer.claims).toMatchObject({ sub: "sam" });
    expect(visible(answer)).toContain("support:close_ticket");
    expect(answer.tools.find(({ toolId }) => toolId === "support:refund_order")).toMatchObject({
      conditional: true,
      conditions: [expect.stringMatching(/\w/)],
      via: [{ group: "refunds", how: ["declared"], policies: ["small-refunds"] }],
    });
  });
  test("with stated claims tries those", async () => {
    const answer = await preview({ persona: "first-line", claims: { team: "sales" } });
    expect([answer.tools, answer.claims]).toEqual([[], { team: "sales" }]);
  });
});

describe("what is visible", () => {
  test("is granted by the policies of its explanation", async () => {
    for (const persona of ["first-line", "supervisor"]) {
      const { tools, explanations = {} } = await preview({ persona, explain: "all" });
      expect(tools.length).toBeGreaterThan(0);
      for (const { toolId, via } of tools) expect([toolId, via]).toEqual([toolId, explanations[toolId]?.via]);
    }
  });

  test("says which calls would wait for a person, by the tool or by the setting for side effects", async () => {
    const waiting = async () => {
      const { tools } = await preview({ persona: "supervisor" });
      return tools.flatMap(({ toolId, needsApproval }) => (needsApproval ? [toolId] : []));
    };
    const { tools } = await preview({ persona: "supervisor" });
    const [plain] = tools.filter(({ hasSideEffects }) => !hasSideEffects);
    const withEffects = tools.flatMap(({ toolId, hasSideEffects }) => (hasSideEffects ? [toolId] : []));
    expect(await waiting()).toEqual([]);
    const {
      revision: _revision,
      createdAt: _created,
      updatedAt: _updated,
      ...row
    } = await toolRows.get(plain?.toolId ?? "");
    const { definitionHash: _hash, ...input } = { ...row, requiresApproval: true };
    const draft = { resource: "tools", id: plain?.toolId, input };
    const drafted = await preview({ persona: "supervisor", draft });
    expect(drafted.tools.filter(({ needsApproval }) => needsApproval)).toMatchObject([{ toolId: plain?.toolId }]);
    await database.query(`update tool set "requiresApproval" = true where id = $1`, [plain?.toolId]);
    closeSnapshot();
    expect(await waiting()).toEqual([plain?.toolId]);
    const hidden = await preview({ claims: { sub: "nobody" }, explain: [plain?.toolId] });
    expect(hidden.explanations?.[plain?.toolId ?? ""]).toMatchObject({ visible: false, needsApproval: true });
    const { settings } = await currentSnapshot();
    const save = async (sideEffects: boolean) => {
      const after = {
        name: "settings",
        value: { ...settings, approvals: { ...settings.approvals, sideEffects } },
      } as const;
      await write(ADMIN, async () => [{ resource: "settings", action: "update", id: "settings", after }]);
    };
    await save(true);
    expect((await waiting()).toSorted()).toEqual([...withEffects, plain?.toolId].toSorted());
    await save(false);
    await database.query(`update tool set "requiresApproval" = false`);
    closeSnapshot();
  });
});

describe("what is hidden", () => {
  test("has one reason and the smallest change that would show it", async () => {
    const { hidden } = await preview({ persona: "contractor" });
    const refund = hidden.find(({ toolId }) => toolId === "support:refund_order");
    expect(refund).toMatchObject({ decidedBy: "policy", reason: "denied_by_policy", fix: { size: 1 } });
    expect(refund?.fix?.changes[0]?.refs).toContainEqual({ kind: "policy", name: "contractors-move-no-money" });
  });
  test("is explained step by step on request", async () => {
    const { explanations } = await preview({ persona: "contractor", explain: ["support:refund_order"] });
    expect(Object.keys(explanations ?? {})).toEqual(["support:refund_order"]);
    const steps = explanations?.["support:refund_order"]?.steps ?? [];
    expect(steps.map(({ step }) => step)).toEqual([
      "policy",
      "group",
      "enabled",
      "request",
      "state",
      "flow",
      "profile",
      "capability",
      "tier",
    ]);
    expect(steps[0]).toMatchObject({ passed: false, reason: "denied_by_policy" });
  });
  test("and the visible tools together are the whole catalogue, as the funnel counts it", async () => {
    const { tools, hidden, trace } = await preview({ persona: "supervisor", machine: "ticket-desk" });
    const { index } = await currentSnapshot();
    expect(tools.length + hidden.length).toBe(index.config.tools.length);
    expect(trace.steps[0]?.before).toBe(index.config.tools.length);
    expect(trace.steps.at(-1)?.after).toBe(tools.length);
  });
  test("is listed up to a limit, and the others are counted", async () => {
    const { hidden } = await preview({ persona: "contractor" });
    const first = await preview({ persona: "contractor", limit: 2 });
    expect([first.hidden, first.moreHidden]).toEqual([hidden.slice(0, 2), hidden.length - 2]);
  });
  test("is found by id, name and reason, as code and in words", async () => {
    const all = await preview({ persona: "contractor" });
    const refund = all.hidden.filter(({ reason }) => reason === "denied_by_policy");
    for (const search of ["Refused by", "denied_BY", " refused by a policy "])
      expect((await preview({ persona: "contractor", search })).hidden).toEqual(refund);
    const byId = await preview({ persona: "contractor", search: "support:refund", limit: 1 });
    expect([byId.hidden.map(({ toolId }) => toolId), byId.moreHidden]).toEqual([["support:refund_order"], 0]);
    expect(byId.trace.steps).toEqual(all.trace.steps);
  });
});

describe("the policies of a trace", () => {
  test("are, under a limit, those that match, those that explain a tool, and the first of the others", async () => {
    const { trace } = await preview({ persona: "contractor" });
    const matched = trace.policies.filter((policy) => policy.matched);
    const others = trace.policies.filter((policy) => !policy.matched);
    expect([matched.length > 0, others.length > 1]).toEqual([true, true]);
    const cut = await preview({ persona: "contractor", limit: 1 });
    expect(cut.trace.policies).toEqual(
      trace.policies.filter((policy) => policy.matched || policy.name === others[0]?.name),
    );
    expect(cut.trace.morePolicies).toBe(others.length - 1);
    const explained = await preview({ persona: "contractor", limit: 1, explain: ["support:refund_order"] });
    expect(explained.trace.policies.map(({ name }) => name)).toContain("contractors-move-no-money");
  });
});

describe("another configuration", () => {
  test("given as a document decides the preview and saves nothing", async () => {
    const before = await currentSnapshot();
    const config = readFileSync("prisma/seed/demo.yaml", "utf8").replace(
      "effect: deny",
      "effect: deny\n    active: false",
    );
    expect(visible(await preview({ persona: "contractor", config }))).toContain("support:refund_order");
    const closed = await preview({
      persona: "first-line",
      config: { apiVersion: "quartermaster/v1", personas: [{ name: "first-line" }] },
    });
    expect([closed.tools, closed.hidden, closed.revision]).toEqual([[], [], 0]);
    expect((await currentSnapshot()).revision).toBe(before.revision);
    expect(visible(await preview({ persona: "contractor" }))).not.toContain("support:refund_order");
  });
  test("that is not valid is refused with the document's paths", async () => {
    expect(await pathsRefused({ config: { apiVersion: "quartermaster/v1", groups: [{ name: "a b" }] } })).toEqual([
      "config.groups[a b].name",
    ]);
  });
  test("of an older revision uses that revision", async () => {
    const { revision } = await currentSnapshot();
    await write(ADMIN, async (stored) => {
      const { revision: _r, createdAt: _c, updatedAt: _u, ...row } = (await stored.get("policies", "small-refunds"))!;
      return [{ resource: "policies", action: "update", id: row.name, after: { ...row, active: false } }];
    });
    expect(visible(await preview({ persona: "first-line" }))).not.toContain("support:refund_order");
    const then = await preview({ persona: "first-line", revision });
    expect([then.revision, visible(then).includes("support:refund_order")]).toEqual([revision, true]);
    await write(ADMIN, async (stored) => {
      const { revision: _r, createdAt: _c, updatedAt: _u, ...row } = (await stored.get("policies", "small-refunds"))!;
      return [{ resource: "policies", action: "update", id: row.name, after: { ...row, active: true } }];
    });
  });
});

describe("a logged call", () => {
  test("can be previewed with exactly its inputs, by who may read bodies", async () => {
    const call = await bot.call({
      tool_id: "support:get_order",
      arguments: { order_id: "O-5001" },
      state: "investigating",
    });
    expect(call.json.status).toBe("succeeded");
    const answer = await preview({ executionId: call.json.call_id }, "auditor");
    expect(answer).toMatchObject({ state: "investigating", machine: "ticket-desk", claims: { team: "support" } });
    expect(visible(answer)).toEqual(idsOf((await bot.list("?state=investigating")).json));
    const [event] = await database.query("select * from audit_event order by id desc limit 1");
    expect(event).toMatchObject({
      action: "executions.bodies",
      target: call.json.call_id,
      actor: "auditor@example.com",
    });
    expect((await post({ executionId: call.json.call_id }, "editor")).status).toBe(403);
  });
});

describe("an unknown thing", () => {
  test.each([
    [{ agent: "nobody" }, ["agent"]],
    [{ persona: "nobody" }, ["persona"]],
    [{ profile: "nothing" }, ["profile"]],
    [{ machine: "nowhere" }, ["machine"]],
    [{ agent: "support-bot", machine: "elsewhere" }, ["machine"]],
    [{ explain: ["support:get_order", "support:nothing"] }, ["explain[1]"]],
    [{ config: { apiVersion: "quartermaster/v1" }, revision: 1 }, ["revision"]],
    [{ claims: "text" }, ["claims"]],
    [{ confidence: 2 }, ["confidence"]],
    [{ surprise: true }, ["surprise"]],
    [{ now: "yesterday" }, ["now"]],
  ])("is refused, naming the field: %j", async (body, paths) => {
    expect(await pathsRefused(body)).toEqual(paths);
  });
  test("as a requested group is no error: it grants nothing and is reported", async () => {
    const answer = await preview({ persona: "first-line", group: ["nowhere"] });
    expect([answer.tools, answer.trace.unknownGroups]).toEqual([[], ["nowhere"]]);
  });
  test("as an execution is refused for who may read bodies", async () => {
    const response = await post({ executionId: "nothing" }, "admin");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ path: "executionId" }] });
  });
  test("as a revision is not found", async () => {
    expect((await post({ revision: 9999 })).status).toBe(404);
  });
});

describe("a preview with observed rules", () => {
  const rule = (name: string, effect: "allow" | "deny", groups: readonly string[]) =>
    ({
      resource: "policies",
      action: "create",
      after: policyInput.parse({ name, effect, groups, everyone: true, mode: "observe" }),
    }) as const;

  test("names the tools that they would show or hide, and changes nothing else", async () => {
    const before = await preview({ agent: "support-bot" });
    expect(before.observed).toEqual({ changes: [], more: false });
    await write(ADMIN, () => [rule("freeze-tickets", "deny", ["tickets"]), rule("try-refunds", "allow", ["refunds"])]);
    const after = await preview({ agent: "support-bot" });
    expect(visible(after)).toEqual(visible(before));
    const hidden = after.observed.changes.filter(({ change }) => change === "hidden");
    expect(hidden.map(({ toolId }) => toolId)).toContain("support:add_note");
    expect(hidden.every(({ rule: { kind, name } }) => kind === "policy" && name === "freeze-tickets")).toBe(true);
    const stranger = await preview({ claims: { sub: "eve" } });
    expect(stranger.observed.changes.map(({ change, rule: { name } }) => [change, name])).toEqual([
      ["shown", "try-refunds"],
    ]);
  });
});
