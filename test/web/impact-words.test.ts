import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { openInWords, unmarkedInWords } from "@/components/flow/trifecta-screen";
import {
  argumentsInWords,
  circumstancesOf,
  groupSimilarCalls,
  isAffected,
  statesOf,
  TOOL_CHANGES,
  isWidening,
  measuredOf,
  missingInWords,
  refusalInWords,
  summaryOf,
} from "@/components/impact/impact-words";
import { counted } from "@/components/ui/counted";
import { ToolRow } from "@/components/rightsizing/policy-use";
import type { ImpactCaller, ImpactOutput } from "@/lib/contracts/decisions/impact";

const nothing = { count: 0, tools: [] };
const caller = (lost: number, gained: number): ImpactCaller => ({
  kind: "agent",
  name: "bot",
  issuer: null,
  callId: null,
  at: null,
  before: lost,
  after: gained,
  gained: { count: gained, tools: [] },
  lost: { ...nothing, count: lost },
  gainedInOtherStates: nothing,
  lostInOtherStates: nothing,
  approvalAdded: nothing,
  approvalRemoved: nothing,
  limitsChanged: nothing,
  argumentsLimited: nothing,
  argumentsChanged: nothing,
  problem: null,
  isRefusedBefore: false,
  initialState: null,
  state: null,
  needsSession: false,
});
const call = {
  callId: "c",
  at: "2026-01-01T00:00:00Z",
  toolId: "a:b",
  who: "bot",
  reason: "state_mismatch",
  detail: null,
};
const impact = (callers: ImpactCaller[], refused: number, allowed: number): ImpactOutput => ({
  revision: 1,
  callers,
  moreCallers: false,
  moreAgents: false,
  calls: {
    replayed: 9,
    since: null,
    waiting: [],
    limited: [],
    refused: Array.from({ length: refused }, () => call),
    allowed: Array.from({ length: allowed }, () => call),
    undecided: 0,
  },
  findings: { added: { count: 0, items: [] }, removed: { count: 0, items: [] } },
  notKept: [],
});

describe("a caller", () => {
  const refused = { ...caller(0, 0), problem: "the agent `bot` is disabled" };

  it("that is refused before and after is not affected, and its line says so", () => {
    expect(isAffected(refused)).toBe(true);
    expect(isAffected({ ...refused, isRefusedBefore: true })).toBe(false);
    expect(circumstancesOf({ ...refused, callId: "c", isRefusedBefore: true })).toBe(
      "refused before and after: the agent `bot` is disabled",
    );
  });

  it("without a transition is in the initial state", () => {
    expect(circumstancesOf({ ...caller(0, 1), callId: "c", state: "paid" })).toBe(
      "in the state `paid` of its latest call",
    );
    expect(circumstancesOf({ ...caller(0, 1), initialState: "new", state: "new" })).toBe(
      "with its attributes, in the initial state `new`",
    );
    expect(circumstancesOf({ ...caller(0, 1), callId: "c" })).toBeNull();
  });
});

describe("a caller with a state machine", () => {
  it("may have the named tools in another state than the one of its line, and the heading says so", () => {
    const held = { state: "triage" };
    expect(TOOL_CHANGES.filter((kind) => statesOf(kind, held) !== "")).toEqual([
      "approvalAdded",
      "approvalRemoved",
      "limitsChanged",
      "argumentsLimited",
      "argumentsChanged",
    ]);
    expect(TOOL_CHANGES.filter((kind) => statesOf(kind, { state: null }) !== "")).toEqual([]);
  });
});

describe("an impact in one line", () => {
  it("counts calls that would wait or reach a limit", () => {
    const { calls, ...rest } = impact([], 0, 0);
    const invalid = { ...call, reason: "session_required" };
    expect(summaryOf({ ...rest, calls: { ...calls, refused: [call, invalid] } })).toBe(
      "1 recent call would be refused, 1 recent call would be invalid.",
    );
    expect(refusalInWords(invalid)).toBe("Invalid request: no session");
    expect(summaryOf({ ...rest, calls: { ...calls, waiting: [call, call], limited: [call] } })).toBe(
      "2 recent calls would wait for approval, 1 recent call would reach a limit.",
    );
  });

  it("counts callers whose calls would wait, or have other limits", () => {
    const one = { count: 1, tools: [] };
    const waits = { ...caller(0, 0), approvalAdded: one };
    expect(isAffected(waits)).toBe(true);
    expect(summaryOf(impact([waits, waits, { ...caller(0, 0), limitsChanged: one }], 0, 0))).toBe(
      "Calls of 2 callers would wait for approval, limits change for 1 caller.",
    );
    expect(summaryOf(impact([{ ...caller(0, 0), approvalRemoved: one }], 0, 0))).toBe(
      "Calls of 1 caller would no longer wait for approval.",
    );
  });

  it("counts callers that lose or gain tools in other states alone", () => {
    const one = { count: 1, tools: [] };
    const elsewhere = { ...caller(0, 0), lostInOtherStates: one };
    expect(isAffected(elsewhere)).toBe(true);
    expect(summaryOf(impact([elsewhere, { ...caller(0, 0), gainedInOtherStates: one }], 0, 0))).toBe(
      "1 caller loses tools in other states, 1 caller gains tools in other states.",
    );
  });

  it("counts personas apart, and callers whose requests would need a session", () => {
    const persona = { ...caller(1, 0), kind: "persona" as const };
    const held = { ...caller(0, 0), needsSession: true };
    expect(isAffected(held)).toBe(true);
    expect(summaryOf(impact([persona, persona, caller(1, 0), held], 0, 0))).toBe(
      "1 caller and 2 personas lose tools, requests of 1 caller would need a session.",
    );
    expect(summaryOf(impact([persona], 0, 0))).toBe("1 persona loses tools.");
  });

  it("names who loses, who gains, and what happens to recent calls", () => {
    expect(summaryOf(impact([caller(2, 0), caller(1, 3), caller(0, 0)], 1, 2))).toBe(
      "2 callers lose tools, 1 caller gains tools, 1 recent call would be refused, 2 calls that are refused now would be allowed.",
    );
  });

  it("says what it was measured with, so that the numbers add up", () => {
    const { calls, ...rest } = impact([caller(0, 0), { ...caller(0, 0), callId: "c" }], 0, 0);
    const callers = [...rest.callers, { ...caller(0, 0), kind: "persona" as const }];
    expect(measuredOf({ ...rest, callers, calls })).toBe(
      "the sample claims of 1 persona, the logged claims of 1 recent caller, the attributes of 1 agent without recent calls, 9 recent calls",
    );
    expect(
      measuredOf({ ...rest, callers, moreCallers: true, moreAgents: true, calls: { ...calls, replayed: 0 } }),
    ).toBe(
      "the sample claims of 1 persona, the logged claims of the latest 1 recent caller, the attributes of the first 1 agent without recent calls; there are no recent calls",
    );
  });

  it("says that nothing changes", () => {
    expect(summaryOf(impact([caller(0, 0)], 0, 0))).toBe("None of the checked callers and recent calls is affected.");
    const { calls, ...rest } = impact([caller(0, 0)], 0, 0);
    expect(summaryOf({ ...rest, calls: { ...calls, replayed: 0 } })).toBe("No checked caller gains or loses tools.");
  });

  it("does not report undecided calls as unchanged", () => {
    const { calls, ...rest } = impact([caller(0, 0)], 0, 0);
    expect(summaryOf({ ...rest, calls: { ...calls, undecided: 2 } })).toBe(
      "No checked caller gains or loses tools; 2 recent calls depend on arguments.",
    );
  });
});

describe("a refusal in words", () => {
  it("adds the known facts besides the code", () => {
    expect(refusalInWords(call)).toBe("Not in this state");
    expect(refusalInWords({ reason: "caller_refused", detail: "the agent `bot` is disabled" })).toBe(
      "Caller refused: the agent `bot` is disabled",
    );
  });
});

it("counts with the right word", () => {
  expect([counted(1, "call"), counted(1_200, "call"), counted(2, "call depends", "calls depend")]).toEqual([
    "1 call",
    "1,200 calls",
    "2 calls depend",
  ]);
});

it("groups calls that differ only in their time, latest first", () => {
  const other = { ...call, callId: "d", who: "other" };
  const kinds = groupSimilarCalls([call, other, { ...call, callId: "e" }]);
  expect(kinds).toEqual([
    { latest: call, count: 2 },
    { latest: other, count: 1 },
  ]);
});

it("names each missing field or condition of a draft once, without the API's spelling", () => {
  const problems = [
    { path: "matchers[1].claim", message: "name a claim path" },
    { path: "matchers[1].value", message: "give a value" },
    { path: "groups", message: "select at least one group (`*`)" },
    { path: "", message: "too much" },
  ];
  expect(missingInWords(problems)).toEqual([
    "Condition 2: name a claim path",
    "Groups: select at least one group",
    "too much",
  ]);
});

it("an impact is a widening when a caller gains tools or an approval ends, or calls may be allowed", () => {
  expect(isWidening(impact([caller(3, 0)], 2, 0))).toBe(false);
  expect(isWidening(impact([caller(1, 0), caller(0, 1)], 0, 0))).toBe(true);
  expect(isWidening(impact([{ ...caller(0, 0), gainedInOtherStates: { count: 1, tools: [] } }], 0, 0))).toBe(true);
  expect(isWidening(impact([{ ...caller(0, 0), approvalRemoved: { count: 1, tools: [] } }], 0, 0))).toBe(true);
  expect(isWidening(impact([], 0, 1))).toBe(true);
  const { calls, ...rest } = impact([], 0, 0);
  expect(isWidening({ ...rest, calls: { ...calls, undecided: 1 } })).toBe(true);
});

describe("the trifecta", () => {
  const closed = {
    refused: null,
    private: nothing,
    untrusted: nothing,
    outward: nothing,
    open: nothing,
    smallest: null,
  };
  const one = { kind: "agent", name: "bot", issuer: null, callId: null, at: null, ...closed } as const;

  it("clears all callers only if all were decided", () => {
    expect(openInWords({ callers: [one], known: 1, more: false })).toMatch(/^No caller can send .* text\.$/);
    const others = /^No caller in the table can send .* Other callers were not decided\.$/;
    expect(openInWords({ callers: [one], known: 2, more: false })).toMatch(others);
    expect(openInWords({ callers: [one], known: 1, more: true })).toMatch(others);
  });

  it("says of the callers in the table alone that no tool is marked, if others were not decided", () => {
    const read = { ...one, private: { count: 1, tools: ["crm:get"] } };
    const marked = /marked to read untrusted text or to send data out\./;
    expect(unmarkedInWords({ callers: [read], known: 1, more: false })).toMatch(/^No caller has a tool/);
    expect(unmarkedInWords({ callers: [read], known: 1, more: false })).toMatch(marked);
    expect(unmarkedInWords({ callers: [read], known: 2, more: false })).toMatch(/^No caller in the table has a tool/);
    expect(unmarkedInWords({ callers: [read], known: 1, more: true })).toMatch(/^No caller in the table has a tool/);
  });
});

it("a tool whose use is not known says whether the policy or the tool changed", () => {
  const none = { calls: 0, callers: 0, lastDay: null, unused: false, kept: null };
  const row = { tool: "crm:get", changed: true, ...none };
  const shown = (whatChanged: "policy" | "tool") =>
    renderToStaticMarkup(
      createElement(ToolRow, { row, whatChanged, canWrite: false, onKeep: () => {}, onRemoveMark: () => {} }),
    ).replaceAll("<!-- -->", "");
  expect(shown("tool")).toContain("not known: tool changed");
  expect(shown("policy")).toContain("not known: policy changed");
});

it("says what a check of logged arguments found, also when no call changes", () => {
  const undecided = (count: number, allowed = 0) => {
    const { calls, ...rest } = impact([], 0, allowed);
    return { ...rest, calls: { ...calls, undecided: count } };
  };
  expect(argumentsInWords(undecided(0), false)).toBeNull();
  expect(argumentsInWords(undecided(5), false)).toBe("5 calls depend on argument conditions, which were not checked.");
  expect(argumentsInWords(undecided(0), true)).toBe("The logged arguments were checked: no call changes.");
  expect(argumentsInWords(undecided(0, 1), true)).toBe("The logged arguments were checked.");
  expect(argumentsInWords(undecided(1), true)).toBe(
    "1 call depends on argument conditions, but the log does not have their complete arguments.",
  );
});
