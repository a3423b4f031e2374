import { describe, expect, test } from "vitest";
import { draftOfGiven, givenOfDraft, isPlain, type Given } from "@/components/preview/inputs/given";

// The request of an assertion and the inputs of a preview say the same in two ways.

const BLANK: Given = {
  claims: {},
  persona: null,
  group: null,
  state: null,
  machine: null,
  profile: null,
  capabilities: null,
  intent: null,
  confidence: null,
  labels: [],
};

describe("an assertion's request", () => {
  test.each<[string, Partial<Given>]>([
    ["blank", {}],
    ["of claims", { claims: { team: "support" }, state: "triage", machine: "ticket-desk", profile: "subagent" }],
    ["of a persona", { persona: "first-line", intent: "MEMORY_SEARCH", confidence: 0.4 }],
    ["of the default request", { group: ["default"] }],
    ["of no group, which is not every group", { group: [] }],
    ["of groups and no capability, which is not the caller's", { group: ["a", "default"], capabilities: [] }],
  ])("%s is unchanged after the inputs of the preview are filled from it and read again", (_what, part) => {
    const given = { ...BLANK, ...part };
    expect(isPlain(given)).toBe(true);
    const who = given.persona === null ? "claims" : "persona";
    expect(givenOfDraft(draftOfGiven(given, who, "{}"), given.claims)).toEqual(given);
  });

  test.each<[string, unknown]>([
    ["with claims beside a persona", { ...BLANK, persona: "first-line", claims: { team: "support" } }],
    ["half written", { claims: {} }],
    ["with claims that are none", { ...BLANK, claims: [] }],
    ["with a group that is no list", { ...BLANK, group: "tickets" }],
    ["that is no object", 5],
    ["that is nothing", null],
  ])("%s can only be edited as JSON", (_what, given) => {
    expect(isPlain(given)).toBe(false);
  });
});
