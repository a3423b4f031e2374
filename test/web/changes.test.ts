import { describe, expect, test } from "vitest";
import { changesOf, same, sentencesOf } from "@/components/resource/editor/changes";

describe("the review of changes", () => {
  test("an unchanged value has no changes, whatever the order of its keys", () => {
    expect(changesOf({ a: { b: 1, c: [2] } }, { a: { c: [2], b: 1 } })).toEqual([]);
  });

  test("not stated, none and all read differently", () => {
    const said = (before: unknown, after: unknown) => sentencesOf(changesOf({ groups: before }, { groups: after }));
    expect(said(null, [])).toEqual([{ sign: "~", text: "groups: not stated → none" }]);
    expect(said(["*"], null)).toEqual([{ sign: "~", text: "groups: * → not stated" }]);
    expect(said([], ["*"])).toEqual([{ sign: "+", text: "groups: “*”" }]);
  });

  test("a list names added and removed items in the words of its view", () => {
    const before = { matchers: [{ claim: "team" }, { claim: "role" }] };
    const after = { matchers: [{ claim: "team" }, { claim: "scope" }] };
    expect(
      sentencesOf(changesOf(before, after), { matchers: (one: { claim: string }) => `where ${one.claim}` }),
    ).toEqual([
      { sign: "−", text: "matchers: where role" },
      { sign: "+", text: "matchers: where scope" },
    ]);
  });

  test("a list in another order is one change", () => {
    expect(sentencesOf(changesOf({ tags: ["a", "b"] }, { tags: ["b", "a"] }))).toEqual([
      { sign: "~", text: "tags: order changed" },
    ]);
  });

  test("a field's name is read as words", () => {
    expect(sentencesOf(changesOf({ availableInStates: null }, { availableInStates: [] }))[0]?.text).toBe(
      "available in states: not stated → none",
    );
  });

  test("null is not an empty object, and a list is not an object", () => {
    expect(same(null, {})).toBe(false);
    expect(same([], {})).toBe(false);
    expect(same({ a: undefined }, {})).toBe(false);
  });
});
