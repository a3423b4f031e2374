import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { BLANK_AGENT } from "@/lib/access/model/blank-rows";
import type { Agent, Issuer, JsonObject } from "@/lib/access/model/configuration";
import { toRequest, type StatedRequest, type RequestCaller } from "@/lib/access/model/request";
import { EMPTY_CONFIGURATION } from "@/test/support/empty-configuration";

const machine = (name: string) => ({
  name,
  description: "",
  initial: "start",
  openStart: false,
  states: [],
  rules: [],
});
const persona = (name: string, capabilities: readonly string[]) => ({
  name,
  description: "",
  capabilities,
  sampleClaims: {},
});
const index = compile({
  ...EMPTY_CONFIGURATION,
  machines: [machine("research"), machine("triage")],
  personas: [persona("analyst", ["files.read"]), persona("clerk", [])],
});

const agent = (over: Partial<Agent>): Agent => ({ ...BLANK_AGENT, name: "bot", stateHeldByServer: false, ...over });
const issuer = (capabilitiesClaim: string | null): Issuer => ({
  name: "corp",
  enabled: true,
  issuer: "https://corp.example",
  capabilitiesClaim,
});
const asked: StatedRequest = { group: null, state: null, machine: null, profile: null, intent: null, confidence: null };
const ask = (caller: Partial<RequestCaller>, over: Partial<StatedRequest> = {}) =>
  toRequest(index, { claims: {}, agent: null, issuer: null, ...caller }, { ...asked, ...over });

test("a caller that states nothing gets the defaults, without the fields of a preview", () => {
  expect(ask({ claims: { sub: "x" } })).toEqual({
    ok: true,
    request: {
      claims: { sub: "x" },
      agent: null,
      group: null,
      state: null,
      machine: null,
      profiles: ["main"],
      capabilities: [],
      intent: null,
      confidence: null,
      escalated: false,
      includeDisabled: false,
      labels: [],
    },
  });
});

describe("a field that is not allowed is refused by name, never ignored", () => {
  test.each<[string, Partial<RequestCaller>, Partial<StatedRequest>, string]>([
    ["an unknown profile", {}, { profile: "root" }, "profile"],
    ["a pinned profile that is gone", { agent: agent({ profile: "old" }) }, {}, "profile"],
    ["an inherited name as profile", {}, { profile: "constructor" }, "profile"],
    ["an unknown machine", {}, { machine: "nowhere" }, "machine"],
    ["an assigned machine that is gone", { agent: agent({ machine: "gone" }) }, {}, "machine"],
    [
      "another machine than the assigned one",
      { agent: agent({ machine: "research" }) },
      { machine: "triage" },
      "machine",
    ],
    ["an unknown persona", {}, { persona: "nobody" }, "persona"],
    ["an assigned persona that is gone", { agent: agent({ persona: "gone" }) }, {}, "persona"],
    [
      "a state that the server holds",
      { agent: agent({ machine: "research", stateHeldByServer: true }) },
      { state: "start" },
      "state",
    ],
    [
      "a named machine's state, of a caller that is not registered",
      {},
      { machine: "research", state: "start" },
      "state",
    ],
    ["a confidence over 1", {}, { intent: "X", confidence: 1.1 }, "confidence"],
    ["a confidence that is no number", {}, { intent: "X", confidence: Number.NaN }, "confidence"],
    ["claims too deep", { claims: JSON.parse(`${'{"a":'.repeat(9)}1${"}".repeat(9)}`) as JsonObject }, {}, "claims"],
  ])("%s", (_name, caller, over, path) => expect(ask(caller, over)).toMatchObject({ ok: false, path }));
});

test("with a pinned profile both must match, each once", () => {
  expect(ask({ agent: agent({ profile: "subagent" }) }, { profile: "scheduled" })).toMatchObject({
    request: { profiles: ["subagent", "scheduled"] },
  });
  expect(ask({ agent: agent({ profile: "subagent" }) }, { profile: "subagent" })).toMatchObject({
    request: { profiles: ["subagent"] },
  });
});

test("a session's state and machine apply, whatever the agent is assigned later", () => {
  const caller = { agent: agent({ machine: "research", stateHeldByServer: true }) };
  expect(ask(caller, { state: "start", machine: "triage", fromSession: true })).toMatchObject({
    request: { state: "start", machine: "triage" },
  });
  expect(ask(caller, { state: "start", fromSession: true })).toMatchObject({ request: { machine: "research" } });
});

describe("capabilities are the preview's, else a persona's, else the issuer's claim, else none", () => {
  const claims = { caps: ["a", 1, "b"], scope: "x  y" };

  test.each<[string, Partial<RequestCaller>, Partial<StatedRequest>, readonly string[]]>([
    ["the preview's", { agent: agent({ persona: "analyst" }), issuer: issuer("caps") }, { capabilities: ["*"] }, ["*"]],
    ["the preview's, though empty", { agent: agent({ persona: "analyst" }) }, { capabilities: [] }, []],
    ["the preview's persona", { agent: agent({ persona: "clerk" }) }, { persona: "analyst" }, ["files.read"]],
    ["the agent's persona", { agent: agent({ persona: "analyst" }), issuer: issuer("caps") }, {}, ["files.read"]],
    ["the agent's persona, though empty", { agent: agent({ persona: "clerk" }), issuer: issuer("caps") }, {}, []],
    ["the issuer's claim as a list of text", { issuer: issuer("caps") }, {}, ["a", "b"]],
    ["the issuer's claim as a scope string", { issuer: issuer("scope") }, {}, ["x", "y"]],
    ["none without the claim", { issuer: issuer("missing") }, {}, []],
    ["none from a path that is none", { issuer: issuer("a..b") }, {}, []],
    ["none without an issuer that names a claim", { issuer: issuer(null) }, {}, []],
  ])("%s", (_name, caller, over, capabilities) =>
    expect(ask({ claims, ...caller }, over)).toMatchObject({ ok: true, request: { capabilities } }),
  );
});

describe("a refusal says how to fix the request", () => {
  test.each<[Partial<RequestCaller>, Partial<StatedRequest>, string]>([
    [
      { agent: agent({ machine: "research", stateHeldByServer: true }) },
      { state: "start" },
      "the server keeps the state of a named machine: create a session and omit the state",
    ],
    [
      { agent: agent({ machine: "research" }) },
      { machine: "triage" },
      "this agent is assigned the machine `research`: omit the machine",
    ],
    [{ agent: agent({ machine: "gone" }) }, {}, "there is no machine `gone`"],
    [{ agent: agent({ machine: "gone" }) }, { machine: "research", fromSession: true }, "there is no machine `gone`"],
    [{}, { machine: "nowhere" }, "there is no machine `nowhere`"],
    [{}, { profile: "root" }, "there is no profile `root`: use one of main, subagent, scheduled, a2a-synthesis"],
    [{}, { persona: "nobody" }, "there is no persona `nobody`"],
    [{}, { confidence: -0.1 }, "must be between 0 and 1"],
  ])("%j %j", (caller, over, message) => expect(ask(caller, over)).toMatchObject({ ok: false, message }));
});

test("stated fields are passed on, including those of a preview or a session", () => {
  const stated: StatedRequest = {
    group: ["g"],
    state: "start",
    machine: "research",
    profile: "subagent",
    intent: "X",
    confidence: 1,
    escalated: true,
    includeDisabled: true,
    labels: ["private"],
  };
  expect(ask({ agent: agent({}), claims: { sub: "x" } }, stated)).toEqual({
    ok: true,
    request: {
      claims: { sub: "x" },
      agent: "bot",
      group: ["g"],
      state: "start",
      machine: "research",
      profiles: ["subagent"],
      capabilities: [],
      intent: "X",
      confidence: 1,
      escalated: true,
      includeDisabled: true,
      labels: ["private"],
    },
  });
  expect(ask({}, { confidence: 0 })).toMatchObject({ ok: true, request: { confidence: 0 } });
});

test("an agent may state its own machine, a state that the server does not hold, and any state of the built-in machine", () => {
  const caller = { agent: agent({ machine: "research", stateHeldByServer: false }) };
  expect(ask(caller, { machine: "research", state: "start" })).toMatchObject({
    request: { machine: "research", state: "start" },
  });
  expect(ask({}, { state: "start" })).toMatchObject({ ok: true, request: { state: "start" } });
  const held = agent({ stateHeldByServer: true });
  expect(ask({ agent: held }, { state: "start" })).toMatchObject({ ok: true, request: { state: "start" } });
  expect(ask({ agent: { ...held, machine: "research" } })).toMatchObject({ ok: true, request: { state: null } });
});

test("capabilities that are null are not stated", () => {
  expect(ask({ agent: agent({ persona: "analyst" }) }, { capabilities: null })).toMatchObject({
    request: { capabilities: ["files.read"] },
  });
});

test("capabilities in a claim that is neither a list nor text grant nothing", () => {
  for (const claims of [{ caps: 5 }, { caps: null }, { caps: { a: true } }, {}] as readonly JsonObject[])
    expect(ask({ claims, issuer: issuer("caps") })).toMatchObject({ ok: true, request: { capabilities: [] } });
});
