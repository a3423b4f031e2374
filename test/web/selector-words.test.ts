import { describe, expect, test } from "vitest";
import { membersInWords } from "@/components/views/rules/selector-words";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";

const none = { selectors: [], include: [], exclude: [] };
const hand = (tool: string) => ({ tool, who: null, when: null });
const reads = { ...BLANK_SELECTOR, requiredTags: ["read"] };

describe("the summary of a group's members", () => {
  test.each<[string, Parameters<typeof membersInWords>, string]>([
    ["names the selectors alone", [{ ...none, selectors: [reads] }, 0], "tools with tag read"],
    [
      "says that a tool must match every selector",
      [{ ...none, selectors: [reads, { ...BLANK_SELECTOR, readOnly: true }] }, 0],
      "tools with tag read that are also tools, read-only",
    ],
    [
      "counts what people included, assigned and excluded beside the selectors",
      [
        {
          selectors: [reads],
          include: [hand("a:x"), hand("a:y")],
          exclude: [{ ...hand("a:z"), reason: "" }],
        },
        1,
      ],
      "tools with tag read; 2 tools included; 1 tool assigned to this group; 1 tool excluded",
    ],
    ["counts assigned tools without a selector", [none, 3], "3 tools assigned to this group"],
    ["names no count that it does not know yet", [none, undefined], "tools assigned to this group"],
    ["says that a group is empty", [none, 0], "no tools yet"],
  ])("%s", (_promise, given, words) => expect(membersInWords(...given)).toBe(words));
});
