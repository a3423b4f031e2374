import { describe, expect, it, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration, Tool } from "@/lib/access/model/configuration";
import { atOnce } from "@/lib/access/model/parts";
import { findWitness } from "@/lib/access/review/witness";
import { registeredIn } from "@/lib/access/impact/request";
import { withHash } from "@/lib/config/definition-hash";
import { REVIEW_FIELDS } from "@/lib/config/review/fields";
import { changedConfiguration, judgeChanges, type ReviewedChange } from "@/lib/config/review/judge";
import { verdictInWords } from "@/lib/contracts/changes/verdict-words";
import { resources } from "@/lib/resources/index";
import { KINDS, OTHER_KINDS, RESOURCE_NAMES } from "@/lib/resources/kinds";
import { meta } from "@/lib/resources/parts/name";
import { settingsInput } from "@/lib/resources/settings";
import { COMPANY, create, judged, NOW, remove, row, settings, stored, update } from "@/test/access/review/review-world";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";

const equals = (claim: string, value: unknown) => ({ claim, operator: "equals", value, ignoreCase: false });
const matchers = (name: string) => stored("policies", name)["matchers"] as readonly object[];
const out = (is: string) => ({ is, tool: null, selector: null });
const byHand = (tool: string) => ({ tool, who: null, when: null });

describe("the table of fields", () => {
  it.each(RESOURCE_NAMES)("names every field of %s", (name) => {
    const derived: readonly string[] = KINDS[name].derived;
    const fields = Object.keys(resources[name].row.shape).filter(
      (field) => !(field in meta) && !(derived.includes(field) && field !== "definitionHash"),
    );
    expect(Object.keys(REVIEW_FIELDS[name]?.fields ?? {}).toSorted()).toEqual(fields.toSorted());
  });

  it("names every setting", () => {
    const named = Object.keys(REVIEW_FIELDS["settings"]?.fields ?? {});
    const all = Object.entries(settingsInput.parse({})).flatMap(([name, value]) =>
      named.includes(name) || typeof value !== "object"
        ? [name]
        : Object.keys(value).map((field) => `${name}.${field}`),
    );
    expect(named.toSorted()).toEqual(all.toSorted());
  });

  it("has every kind of row", () => {
    expect(Object.keys(REVIEW_FIELDS).toSorted()).toEqual([...RESOURCE_NAMES, ...Object.keys(OTHER_KINDS)].toSorted());
  });

  it("a field that it does not name is unknown, and so is a kind of row", () => {
    expect(judged(update("policies", "hr-read", { colour: "red" }))).toEqual({
      kind: "unknown",
      reasons: [expect.objectContaining({ resource: "policies", id: "hr-read", field: "colour" })],
      more: 0,
    });
    const other = { resource: "new-kind", id: "one", before: null, after: {}, setsSecret: false };
    expect(judged(other).kind).toBe("unknown");
  });
});

const NARROWER = {
  "a condition more": update("policies", "sales-write", {
    matchers: [...matchers("sales-write"), equals("level", "senior")],
  }),
  "a policy less": remove("policies", "hr-write"),
  "a group less": update("policies", "hr-read", { groups: ["crm-read"] }),
  "an allow switched off": update("policies", "hr-read", { active: false }),
  "an end": update("policies", "hr-read", { validUntil: "2026-04-01T00:00:00Z" }),
  "an argument condition": update("policies", "hr-write", { arguments: [equals("amount", 5)] }),
  "a new deny": create("policies", { name: "stop", effect: "deny", everyone: true, groups: ["wiki-read"] }),
  "an observed deny enforced": update("policies", "watched-deny", { mode: "enforce" }),
  "a flow rule more": create("flows", { name: "more", when: ["seen"], restrict: [{ tool: "wiki:read" }] }),
  "a flow rule that restricts more": update("flows", "guard", { restrict: [out("outward"), out("loud")] }),
  "a class more": update("tools", "wiki:read", { flow: { raises: ["seen"], is: ["outward"] } }),
  "an allow observed": update("policies", "hr-read", { mode: "observe" }),
  "a tool excluded": update("groups", "crm-write", { exclude: [{ ...byHand("crm:update"), reason: "" }] }),
  "a tool disabled": update("tools", "crm:read", { enabled: false }),
  "a source disabled": update("sources", "wiki", { enabled: false }),
  "a tool deleted": remove("tools", "crm:read"),
  "a capability required": update("tools", "crm:read", { requiredCapabilities: ["crm.read"] }),
  "an approval required": update("tools", "crm:create", { requiresApproval: true }),
  "a lower limit": update("tools", "crm:create", {
    limits: { ...(stored("tools", "crm:create")["limits"] as object), rate: { points: 5, seconds: 60 } },
  }),
  "a persona with less": update("personas", "clerk", { capabilities: ["crm.read"] }),
  "an agent disabled": update("agents", "bot", { enabled: false }),
  "more redaction": settings({ redact: ["iban"] }),
  "approvals for side effects": settings({ approvals: { sideEffects: true } }),
  "reviews switched on": settings({ review: { changes: "widening" } }),
} as const;

const SAME = {
  words: update("policies", "hr-read", { description: "People" }),
  "another order": update("policies", "hr-read", { priority: 10 }),
  "an inactive policy": create("policies", { name: "later", active: false, everyone: true, groups: ["*"] }),
  "an observed policy": create("policies", { name: "later", mode: "observe", everyone: true, groups: ["*"] }),
  "an observed deny less": remove("policies", "watched-deny"),
  "a second policy for a part of the callers": create("policies", {
    name: "sales-eu",
    matchers: [equals("department", "sales"), equals("region", "eu")],
    groups: ["crm-read"],
  }),
  "a group that nobody is granted": create("groups", { name: "everything", selectors: [{ source: "*" }] }),
  "a tool that nobody sees": create("tools", {
    id: "crm:export",
    description: "d",
    inputSchema: { type: "object" },
    groups: [],
  }),
  "an agent that is disabled": create("agents", { name: "next", enabled: false }),
} as const;

const WIDER = {
  "a condition less": update("policies", "hr-read", { matchers: [], everyone: true }),
  "another value": update("policies", "hr-read", { matchers: [equals("department", "pr")] }),
  "a group more": update("policies", "hr-read", { groups: ["crm-read", "crm-write"] }),
  "a new policy": create("policies", { name: "all", everyone: true, groups: ["crm-read"] }),
  "a policy from tomorrow": create("policies", {
    name: "all",
    everyone: true,
    validFrom: "2026-04-01T12:00:00Z",
    groups: ["crm-read"],
  }),
  "a flow rule less": remove("flows", "guard"),
  "a flow rule observed": update("flows", "guard", { mode: "observe" }),
  "a flow rule of more labels": update("flows", "guard", { when: ["seen", "read"] }),
  "a class less": update("tools", "crm:read", { flow: null }),
  "an observed allow enforced": update("policies", "watched-allow", { mode: "enforce" }),
  "a deny observed": update("policies", "no-contractors", { mode: "observe" }),
  "a deny less": remove("policies", "no-contractors"),
  "a deny of fewer callers": update("policies", "no-contractors", {
    matchers: [...matchers("no-contractors"), equals("department", "sales")],
  }),
  "a tool in a group": update("groups", "crm-read", { include: [byHand("billing:remove")] }),
  "a wider selector": update("groups", "crm-read", { selectors: [{ ...BLANK_SELECTOR, source: "crm" }] }),
  "a tag": update("tools", "billing:remove", { tags: ["read"] }),
  "a capability less": update("tools", "crm:remove", { requiredCapabilities: [] }),
  "another profile": update("agents", "bot", { profile: null }),
  "an approval less": update("tools", "crm:remove", { requiresApproval: false }),
  "side effects denied": update("tools", "crm:remove", { hasSideEffects: false }),
  "no limit": update("tools", "crm:create", {
    limits: { ...(stored("tools", "crm:create")["limits"] as object), rate: null },
  }),
} as const;

const UNKNOWN = {
  "an address": update("sources", "crm", { url: "https://other.example.com" }),
  "a credential": update("sources", "crm", { auth: { mode: "bearer", secret: "other" } }),
  "how a tool runs": update("tools", "crm:read", { run: { kind: "mcp", tool: "drop" } }),
  "an input schema": update("tools", "crm:read", { inputSchema: {} }),
  "a capability that opens nothing now": update("personas", "clerk", { capabilities: ["*"] }),
  "an owner": update("agents", "bot", { owners: ["ada"] }),
  "an attribute": update("agents", "bot", { attributes: { department: "legal" } }),
  "a new source": create("sources", { name: "new", kind: "http", url: "https://new.example.com" }),
  "a new agent": create("agents", { name: "next" }),
  "a request policy": create("policies", {
    name: "ask",
    effect: "request",
    everyone: true,
    maxHours: 2,
    groups: ["crm-write"],
  }),
  "a regular expression": update("policies", "hr-read", {
    matchers: [{ claim: "department", operator: "matches", value: "(hr)$", ignoreCase: false }],
  }),
} as const;

test.each(Object.entries(NARROWER))("narrower: %s", (_name, change) =>
  expect(judged(change)).toEqual({ kind: "narrower", reasons: [], more: 0 }),
);
test.each(Object.entries(SAME))("same: %s", (_name, change) =>
  expect(judged(change)).toEqual({ kind: "same", reasons: [], more: 0 }),
);
test.each(Object.entries(WIDER))("wider: %s", (_name, change) => {
  const { kind, reasons } = judged(change);
  expect(kind).toBe("wider");
  expect(reasons[0]).toMatchObject({ kind: "wider", resource: change.resource, id: change.id });
});
test.each(Object.entries(UNKNOWN))("unknown: %s", (_name, change) => expect(judged(change).kind).toBe("unknown"));

it("rows outside the configuration: taking away never waits, giving back does", () => {
  const others = (resource: string, before: object | null, after: object | null, setsSecret = false) =>
    judged({ resource, id: "one", before, after, setsSecret }).kind;
  expect(others("pauses", null, {})).toBe("same");
  expect(others("pauses", {}, null)).toBe("wider");
  expect(others("revocations", null, {})).toBe("same");
  expect(others("revocations", {}, null)).toBe("unknown");
  expect(others("secrets", null, {}, true)).toBe("unknown");
  expect(others("secrets", { setAt: "a" }, { setAt: "b" }, true)).toBe("unknown");
  expect(others("secrets", {}, null)).toBe("same");
  expect(others("api-keys", null, { enabled: true }, true)).toBe("unknown");
  expect(others("api-keys", null, { enabled: false }, true)).toBe("same");
  expect(others("users", { role: "admin" }, { role: "auditor" })).toBe("narrower");
  expect(others("users", { role: "auditor" }, { role: "admin" })).toBe("unknown");
  expect(others("users", { enabled: true }, null)).toBe("same");
  expect(others("webhooks", { url: "a" }, { url: "b" })).toBe("unknown");
  // A secret column alone, without a field that shows it.
  expect(others("webhooks", { previousUntil: null }, { previousUntil: null }, true)).toBe("unknown");
});

describe("a field that guards and decides, or that decisions read indirectly", () => {
  const after = (more: (config: Configuration) => object, ...changes: readonly ReviewedChange[]) => {
    const { config } = COMPANY;
    return atOnce(judgeChanges(compile({ ...config, ...more(config) }), changes, NOW)).kind;
  };
  const selected = (effect: string) => (config: Configuration) => ({
    groups: [...config.groups, row("groups", { name: "effects", selectors: [{ hasSideEffects: true }] })],
    policies: [...config.policies, row("policies", { name: "effects", effect, everyone: true, groups: ["effects"] })],
  });

  it("declared side effects add the tool to groups that select them", () => {
    const declared = update("tools", "billing:read", { hasSideEffects: true });
    expect(judged(declared).kind).toBe("narrower");
    expect(after(selected("allow"), declared)).toBe("wider");
    expect(after(selected("deny"), declared)).toBe("narrower");
  });

  it("a description as it was when a profile accepted it shows the tool to the profile's callers again", () => {
    const accepted = withHash({ ...stored("tools", "crm:read"), description: "as accepted" } as never) as Tool;
    const acceptance = { profile: "scheduled", tool: "crm:read", definitionHash: accepted.definitionHash };
    const described = (description: string) => update("tools", "crm:read", { description });
    expect(after(() => ({ driftAcceptances: [acceptance] }), described("as accepted"))).toBe("wider");
    expect(after(() => ({ driftAcceptances: [acceptance] }), described("other words"))).toBe("same");
  });

  it("a request policy that takes the name of a deleted one takes its grants over", () => {
    const offer = row("policies", {
      name: "new",
      effect: "request",
      everyone: true,
      maxHours: 2,
      groups: ["crm-write"],
    });
    const grant = {
      id: "one",
      policy: "old",
      tool: "crm:create",
      issuer: "https://idp",
      subject: "ada",
      client: null,
      from: "2026-03-31T11:00:00Z",
      until: "2026-03-31T13:00:00Z",
    };
    const renamed = {
      resource: "policies",
      id: "new",
      before: offer,
      after: { ...offer, name: "old" },
      setsSecret: false,
    };
    const held = ({ policies }: Configuration) => ({ policies: [...policies, offer], accessGrants: [grant] });
    expect(after(held, renamed)).not.toBe("same");
  });

  it("a subject that is no longer bound to an agent is served by its claims alone", () => {
    const bound = row("agents", { name: "bound", issuer: "idp", subject: "ada", enabled: false });
    const gone = { resource: "agents", id: "bound", before: bound, after: null, setsSecret: false };
    expect(judged(gone)).toMatchObject({ kind: "unknown", reasons: [{ factor: "binding", id: "bound" }] });
    expect(judged(remove("agents", "bot")).kind).toBe("same");
  });
});

describe("labels", () => {
  const flow = (is: readonly string[], raises: readonly string[]) => ({ is, raises });
  const held = (minutes: number | null) => row("labels", { name: "seen", scope: "caller", holdMinutes: minutes });
  const kept = (before: number | null, after: number | null) =>
    judged({ resource: "labels", id: "seen", before: held(before), after: held(after), setsSecret: false }).kind;

  it("a tool that raises fewer shows its callers what a rule hid from them after a call", () => {
    const { kind, reasons } = judged(update("tools", "billing:read", { flow: flow(["loud"], []) }));
    expect(kind).toBe("wider");
    expect(reasons[0]).toMatchObject({
      factor: "flow",
      id: "billing:read",
      witness: { gains: "tool", tool: expect.stringMatching(/^crm:/) },
    });
  });

  it("a label that no rule reads restricts nobody: it may be raised no longer, and deleted", () => {
    const unread = compile({ ...COMPANY.config, flows: [] });
    const change = update("tools", "billing:read", { flow: flow(["loud"], []) });
    expect(atOnce(judgeChanges(unread, [change], NOW)).kind).toBe("same");
    const gone = { resource: "labels", id: "read", before: held(null), after: null, setsSecret: false };
    expect(judged(gone).kind).toBe("same");
  });

  it("a label that is held for less time restricts less", () => {
    expect([kept(60, 30), kept(null, 30), kept(60, 90), kept(60, null)]).toEqual([
      "wider",
      "wider",
      "narrower",
      "narrower",
    ]);
  });
});

describe("an answer to the guess of an import", () => {
  const guessed = (kind: "raises" | "is", word: string) => ({
    ...stored("tools", "crm:read"),
    flow: { raises: [], is: [] },
    flowGuess: [{ kind, word, from: "method POST" }],
  });
  /** The verdict on an answer to a guess, with the rule that hides outward tools from callers who hold `seen`. */
  function answered(before: object, flow: { readonly raises: readonly string[]; readonly is: readonly string[] }) {
    const tools = COMPANY.config.tools.map((tool) => (tool.id === "crm:read" ? withHash(before as never) : tool));
    const index = compile({ ...COMPANY.config, tools } as Configuration);
    const after = { ...before, flow, flowGuess: flow.raises.length + flow.is.length === 0 ? [] : null };
    return atOnce(judgeChanges(index, [{ resource: "tools", id: "crm:read", before, after, setsSecret: false }], NOW));
  }

  it("that takes a class away which a rule restricts is wider, and one that confirms it is not", () => {
    const lost = answered(guessed("is", "outward"), { raises: [], is: [] });
    expect([lost.kind, lost.reasons[0]?.factor, lost.reasons[0]?.witness?.tool]).toEqual(["wider", "flow", "crm:read"]);
    expect(answered(guessed("is", "outward"), { raises: [], is: ["loud"] }).kind).toBe("wider");
    expect(answered(guessed("is", "outward"), { raises: [], is: ["outward"] }).kind).toBe("same");
  });

  it("that takes a label away which hides a tool after a call is wider, and one that confirms it is not", () => {
    const lost = answered(guessed("raises", "seen"), { raises: [], is: [] });
    expect([lost.kind, lost.reasons[0]?.factor, lost.reasons[0]?.witness?.gains]).toEqual(["wider", "flow", "tool"]);
    expect(answered(guessed("raises", "seen"), { raises: ["seen"], is: [] }).kind).toBe("same");
  });
});

describe("with more personas than are tried", () => {
  const clerk = COMPANY.config.personas[0]!;
  const personas = Array.from({ length: 250 }, (_, at) => ({ ...clerk, name: `other-${at}`, sampleClaims: {} }));
  const crowded = compile({ ...COMPANY.config, personas: [clerk, ...personas] });

  it("the agent that a change is about is the witness", () => {
    const change = update("agents", "bot", { profile: null });
    const { reasons } = atOnce(judgeChanges(crowded, [change], NOW));
    expect(reasons[0]?.witness).toMatchObject({ kind: "agent", name: "bot", gains: "tool" });
  });

  it("the search pauses at each of the callers that it tries", () => {
    const side = atOnce(registeredIn(crowded));
    const about = { factor: "membership", rule: "", through: [], withheldBy: null, request: {} } as const;
    const doubt = { ...about, tools: ["crm:unknown"] };
    // Once for each of 200 callers, and once for its tool.
    expect([...findWitness({ before: side, after: side }, doubt, NOW)]).toHaveLength(400);
    expect(atOnce(findWitness({ before: side, after: side }, doubt, NOW))).toBeNull();
  });
});

it("a witness is a caller whom the resolver confirms, and the verdict is one sentence", () => {
  const verdict = judged(update("policies", "hr-read", { groups: ["crm-read", "crm-write"] }));
  const [reason] = verdict.reasons;
  expect(reason).toMatchObject({ factor: "membership", field: "groups", witness: { gains: "tool" } });
  expect(reason?.witness?.claims).toEqual({ department: "hr" });
  expect(verdictInWords(verdict)).toMatch(
    /^A caller with matching claims would see `crm:\w+`, because of the field “groups” of access policy hr-read\. This is one example. The same may hold for 2 other tools\.$/,
  );
  expect(verdictInWords(judged(UNKNOWN["an address"]))).toContain("The effect of the field “url” of source crm");
  // As a role reads it that may not see the row.
  expect(verdictInWords({ ...verdict, reasons: [] })).toBe("Only administrators can see what this change does.");
});

it("several changes are judged together: a group may move from one policy to another of the same callers", () => {
  expect(
    judged(
      update("policies", "sales-read", { groups: ["billing-read", "wiki-read"] }),
      create("policies", { name: "sales-crm", matchers: matchers("sales-read"), groups: ["crm-read"] }),
    ),
  ).toEqual({ kind: "same", reasons: [], more: 0 });
});

describe("an argument condition", () => {
  /** The verdict on another condition on the amount of `hr-write`. */
  function changed(from: object, to: object) {
    const limited = (condition: object) => ({
      ...stored("policies", "hr-write"),
      arguments: [{ claim: "amount", ignoreCase: false, ...condition }],
    });
    const policies = COMPANY.config.policies.map((one) => (one.name === "hr-write" ? limited(from) : one));
    const index = compile({ ...COMPANY.config, policies } as Configuration);
    const change = {
      resource: "policies",
      id: "hr-write",
      before: limited(from),
      after: limited(to),
      setsSecret: false,
    };
    return atOnce(judgeChanges(index, [change], NOW));
  }

  it.each([
    [
      { operator: "lte", value: 100 },
      { operator: "lte", value: 200 },
    ],
    [
      { operator: "lt", value: 100 },
      { operator: "lte", value: 100 },
    ],
    [
      { operator: "gte", value: 50 },
      { operator: "gt", value: 10 },
    ],
    [
      { operator: "equals", value: 5 },
      { operator: "equals", value: 6 },
    ],
    [
      { operator: "in", value: ["a"] },
      { operator: "in", value: ["a", "b"] },
    ],
  ])("%o loosened to %o is wider, with a caller who may use arguments that are refused now", (from, to) => {
    const { kind, reasons } = changed(from, to);
    expect([kind, reasons[0]?.factor, reasons[0]?.witness?.gains]).toEqual(["wider", "arguments", "arguments"]);
  });

  it("tightened is narrower", () => {
    expect(changed({ operator: "lte", value: 200 }, { operator: "lte", value: 100 }).kind).toBe("narrower");
  });

  it("that two policies loosen names as the cause of a gain the policy that matches the caller", () => {
    const limited = (effect: object, value: number) => ({
      ...effect,
      arguments: [{ claim: "amount", operator: "lte", value, ignoreCase: false }],
    });
    const night = row("policies", {
      name: "at-night",
      effect: "request",
      maxHours: 8,
      matchers: [equals("shift", "night")],
      groups: ["crm-write"],
    });
    const shift = row("policies", { name: "a-shift", matchers: [equals("shift", "night")], groups: ["crm-write"] });
    const sales = stored("policies", "sales-write");
    const rules = [night, shift, sales];
    const others = COMPANY.config.policies.filter(({ name }) => name !== "sales-write");
    const index = compile({
      ...COMPANY.config,
      policies: [...others, ...rules.map((one) => limited(one, 50))],
    } as never);
    const changes = rules.map((one) => {
      const { name } = one as { readonly name: string };
      return { resource: "policies", id: name, before: limited(one, 50), after: limited(one, 100), setsSecret: false };
    });
    const { reasons } = atOnce(judgeChanges(index, changes, NOW));
    const causes = reasons.map(({ kind, id, witness }) => [kind, id, witness?.claims ?? null]);
    expect(causes.toSorted()).toEqual([
      ["unknown", "at-night", null],
      ["wider", "a-shift", { shift: "night" }],
      ["wider", "sales-write", { department: "sales" }],
    ]);
  });

  it("is named when a group that an unchanged policy names grows beside it", () => {
    const include = [byHand("crm:remove")];
    const { reasons } = judged(
      update("policies", "sales-write", { groups: ["crm-write", "wiki-write"] }),
      update("groups", "billing-write", { include }),
    );
    const [grown] = reasons.filter(({ tools }) => tools.includes("crm:remove"));
    expect(grown).toMatchObject({ resource: "groups", id: "billing-write", field: "include" });
  });
});

it("a change of each of 20,000 tools pauses at each, and searches no list for it", () => {
  const { tools } = COMPANY.config;
  const [tool] = tools;
  const many = Array.from({ length: 20_000 }, (_, number) => ({ ...tool!, id: `crm:${number}` }));
  const changes = many.slice(0, 1_000).map((before) => ({
    resource: "tools",
    id: before.id,
    before,
    after: { ...before, description: "Other words." },
  }));
  // A list search would read this member of the list of tools.
  const config = { ...COMPANY.config, tools: Object.assign(many, { includes: undefined as never }) };
  expect([...changedConfiguration(config, changes)]).toHaveLength(1 + changes.length);
});
