import { describe, expect, it } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Agent, Configuration, Issuer, JsonObject } from "@/lib/access/model/configuration";
import { atOnce } from "@/lib/access/model/parts";
import { registeredIn, requestAgain, requestOfAgent, type LoggedCaller } from "@/lib/access/impact/request";
import { EMPTY_CONFIGURATION } from "@/test/support/empty-configuration";

const CORP = "https://corp.example";
const OURS = "https://quartermaster.example";

const bot: Agent = {
  name: "bot",
  enabled: true,
  issuer: null,
  subject: null,
  attributes: { team: "a" },
  persona: "reader",
  profile: "subagent",
  machine: "case",
  stateHeldByServer: false,
};

const machine = (name: string) => ({
  name,
  description: "",
  initial: "start",
  openStart: false,
  states: [],
  rules: [],
});

const corp: Issuer = { name: "corp", enabled: true, issuer: CORP, capabilitiesClaim: "caps" };

const configuration = (changes: Partial<Configuration>): Configuration => ({
  ...EMPTY_CONFIGURATION,
  agents: [bot],
  machines: [machine("case"), machine("other")],
  personas: [
    { name: "reader", description: "", capabilities: ["read"], sampleClaims: {} },
    { name: "writer", description: "", capabilities: ["write"], sampleClaims: {} },
  ],
  issuers: [corp],
  ...changes,
});

const caller = (changes: Partial<LoggedCaller> = {}): LoggedCaller => ({
  issuer: "quartermaster",
  subject: "bot",
  isOwnToken: false,
  claims: { team: "then", sub: "bot", iss: "quartermaster" },
  request: {
    agent: "bot",
    group: ["g"],
    state: "middle",
    machine: "case",
    profiles: ["subagent"],
    capabilities: ["then"],
    intent: "FIND",
    confidence: 0.5,
    escalated: true,
    labels: [],
    includeDisabled: false,
  },
  fromSession: false,
  ...changes,
});

/** The caller's request after these changes of the configuration above. */
function again(changes: Partial<Configuration>, who = caller()): unknown {
  const [side, was] = [configuration(changes), configuration({})].map((config) =>
    atOnce(registeredIn(compile(config))),
  );
  const answer = requestAgain(side!, was!, who);
  return answer.ok ? answer.request : answer.message;
}

const withAgent = (changes: Partial<Agent>): Partial<Configuration> => ({ agents: [{ ...bot, ...changes }] });
const token = (claims: JsonObject): Partial<LoggedCaller> => ({ issuer: CORP, subject: "u1", claims });

describe("a logged caller's request, built again", () => {
  it("has the logged request's fields, and the agent's present assignments", () => {
    expect(again({})).toEqual({
      ...caller().request,
      claims: { team: "a", sub: "bot", iss: "quartermaster" },
      capabilities: ["read"],
    });
    expect(
      again(withAgent({ attributes: { team: "b" }, persona: "writer", profile: null, machine: "other" })),
    ).toMatchObject({
      claims: { team: "b", sub: "bot", iss: "quartermaster" },
      capabilities: ["write"],
      profiles: ["main"],
      machine: "other",
      group: ["g"],
      state: "middle",
      intent: "FIND",
    });
  });

  it("keeps the stated profile and machine", () => {
    const stated = caller({ request: { ...caller().request, profiles: ["subagent", "scheduled"] } });
    expect(again(withAgent({ profile: "a2a-synthesis" }), stated)).toMatchObject({
      profiles: ["a2a-synthesis", "scheduled"],
    });
    const other = caller({ request: { ...caller().request, machine: "other" } });
    expect(again(withAgent({ machine: null }), other)).toMatchObject({ machine: "other" });
    expect(again({}, other)).toContain("assigned the machine `case`");
  });

  it("keeps the machine of a session, whatever the agent is assigned", () => {
    expect(again(withAgent({ machine: "other" }), caller({ fromSession: true }))).toMatchObject({ machine: "case" });
  });

  it("resolves a token to the bound agent, or to an unregistered caller without the `qm` claim", () => {
    const claims = { iss: CORP, sub: "u1", caps: "scope-a scope-b", qm: { agent: { team: "then" } } };
    const { qm: _ours, ...own } = claims;
    const request = { ...caller().request, agent: null, machine: null, profiles: ["main"] };
    expect(again({}, caller({ ...token(claims), request }))).toMatchObject({
      claims: own,
      agent: null,
      capabilities: ["scope-a", "scope-b"],
    });
    const bound = withAgent({ issuer: "corp", subject: "u1" });
    expect(again(bound, caller({ ...token(claims), request }))).toMatchObject({
      claims: { ...own, qm: { agent: { team: "a" } } },
      agent: "bot",
      capabilities: ["read"],
      profiles: ["subagent"],
    });
  });

  it("resolves a token of our own authorization server to the agent that it acts as", () => {
    const logged = { team: "then", shift: "night", iss: OURS, sub: "person-1", scope: "tools" };
    const person = { name: "ada", role: "editor" };
    const claims = { ...logged, qm: { agent: { team: "then" }, person } };
    const connected = caller({ issuer: OURS, subject: "person-1", isOwnToken: true, claims });
    expect(again({}, connected)).toMatchObject({
      claims: { ...logged, team: "a", qm: { agent: { team: "a" }, person } },
      agent: "bot",
      capabilities: ["read"],
    });
    expect(again(withAgent({ persona: null }), connected)).toMatchObject({ capabilities: ["tools"] });
    expect(again({ agents: [] }, connected)).toBe("the agent `bot` does not exist in these rules");
    expect(again(withAgent({ enabled: false }), connected)).toBe("the agent `bot` is disabled");
  });

  it("is refused when authentication would fail, or the request is no longer valid", () => {
    expect(again({ agents: [] })).toBe("the agent `bot` does not exist in these rules");
    expect(again(withAgent({ enabled: false }))).toBe("the agent `bot` is disabled");
    expect(again({ issuers: [] }, caller(token({ iss: CORP, sub: "u1" })))).toBe(
      `there is no enabled issuer \`${CORP}\``,
    );
    expect(again({ machines: [] })).toContain("there is no machine `case`");
    expect(again({ personas: [] })).toContain("there is no persona `reader`");
    expect(again(withAgent({ stateHeldByServer: true }))).toContain("the server keeps the state");
  });

  it("is refused when the token's issuer is disabled, for a bound agent and an unregistered caller", () => {
    const disabled = [{ ...corp, enabled: false }];
    const bound = withAgent({ issuer: "corp", subject: "u1", machine: null });
    const unserved = `there is no enabled issuer \`${CORP}\``;
    const who = caller(token({ iss: CORP, sub: "u1" }));
    expect(again({ issuers: disabled, agents: [] }, who)).toBe(unserved);
    expect(again({ issuers: disabled, ...bound }, who)).toBe(unserved);
    const side = atOnce(registeredIn(compile(configuration({ issuers: disabled, ...bound }))));
    expect(requestOfAgent(side, "bot")).toMatchObject({ ok: false, message: "the issuer `corp` is disabled" });
  });

  it("uses the enabled one of two issuers with one address, and only the agents bound to it", () => {
    const former = { ...corp, name: "former", enabled: false, capabilitiesClaim: null };
    const request = { ...caller().request, agent: null, machine: null, profiles: ["main"] };
    const who = caller({ ...token({ iss: CORP, sub: "u1", caps: "scope-a" }), request });
    const served = { agent: null, capabilities: ["scope-a"] };
    const bound = withAgent({ issuer: "former", subject: "u1" });
    expect(again({ issuers: [corp, former] }, who)).toMatchObject(served);
    expect(again({ issuers: [corp, former], ...bound }, who)).toMatchObject(served);
  });
});
