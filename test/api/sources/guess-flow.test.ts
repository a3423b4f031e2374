import { describe, expect, it } from "vitest";
import { classesOf, raisesOf } from "@/lib/access/model/flow";
import { NO_FLOW } from "@/lib/resources/parts/no-flow";
import { guessFlow, extendGuesses } from "@/lib/sources/import/guess-flow";
import type { ToolInput } from "@/lib/resources/tool";

// The guessed flow of imported tools (docs/reference/decision.md#flow-guesses).

type Annotations = ToolInput["annotations"];

const words = (annotations: Annotations, method: string | null = null) =>
  guessFlow({ annotations, method }).map(({ kind, word, from }) => `${kind} ${word}: ${from}`);

describe("a guess", () => {
  it.each<[string, Annotations, string | null, string[]]>([
    ["a tool without annotations", {}, null, ["raises untrusted: no annotations", "is outward: no annotations"]],
    ["a title alone", { title: "Send" }, null, ["raises untrusted: no annotations", "is outward: no annotations"]],
    [
      "a tool of the open world",
      { openWorldHint: true },
      null,
      ["raises untrusted: openWorldHint: true", "is outward: openWorldHint: true"],
    ],
    [
      "a tool that only reads",
      { readOnlyHint: true },
      null,
      [
        "raises private: readOnlyHint: true",
        "raises untrusted: openWorldHint not stated",
        "is outward: openWorldHint not stated",
      ],
    ],
    [
      "an operation that reads",
      { readOnlyHint: true },
      "GET",
      ["raises private: method GET", "raises untrusted: method GET", "is outward: method GET"],
    ],
    ["an operation that writes", {}, "POST", ["raises untrusted: method POST", "is outward: method POST"]],
  ])("of %s", (_name, annotations, method, expected) => {
    expect(words(annotations, method)).toEqual(expected);
  });

  it("is never less because of an annotation", () => {
    const hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
    for (const hint of hints)
      for (const value of [true, false])
        for (const method of [null, "GET", "POST"]) {
          const guess = guessFlow({ annotations: { [hint]: value }, method });
          expect(guess).toEqual(
            expect.arrayContaining(
              guessFlow({ annotations: {}, method }).map(({ kind, word }) => expect.objectContaining({ kind, word })),
            ),
          );
        }
  });
});

describe("a changed source", () => {
  const guess = guessFlow({ annotations: {}, method: null });
  it("adds a guess to those that nobody has answered", () => {
    const grown = extendGuesses(
      { annotations: {}, method: null, flowGuess: guess },
      { annotations: { readOnlyHint: true }, method: null },
    );
    expect(grown?.map(({ word }) => word)).toEqual(["untrusted", "outward", "private"]);
  });
  it("brings back no guess that a person has answered", () => {
    const before = { annotations: {}, method: null, flowGuess: null };
    expect(extendGuesses(before, { annotations: { readOnlyHint: true }, method: null })).toEqual([
      { kind: "raises", word: "private", from: "readOnlyHint: true" },
    ]);
    expect(extendGuesses(before, { annotations: { openWorldHint: true }, method: null })).toBeNull();
  });
  it("takes no guess away", () => {
    const before = { annotations: { readOnlyHint: true }, method: null };
    const known = guessFlow(before);
    expect(
      extendGuesses({ ...before, flowGuess: known }, { annotations: { openWorldHint: false }, method: null }),
    ).toBe(known);
  });
});

describe("a guess that nobody has answered", () => {
  const flowGuess = guessFlow({ annotations: { readOnlyHint: true }, method: null });
  const labels = [{ name: "private" }, { name: "untrusted" }];
  it("is added to the stated flow", () => {
    expect(raisesOf({ flow: { raises: ["mine"], is: [] }, flowGuess }, labels)).toEqual([
      "mine",
      "private",
      "untrusted",
    ]);
    expect(classesOf({ flow: { raises: [], is: ["mine"] }, flowGuess })).toEqual(["mine", "outward"]);
  });
  it("raises no label that an admin deleted, and raises it again once it exists", () => {
    expect(raisesOf({ flow: NO_FLOW, flowGuess }, [])).toEqual([]);
    expect(raisesOf({ flow: NO_FLOW, flowGuess }, [{ name: "private" }])).toEqual(["private"]);
  });
  it("counts for nothing without one", () => {
    expect([raisesOf({ flow: NO_FLOW }, labels), classesOf({ flow: null, flowGuess: null })]).toEqual([[], []]);
  });
});
