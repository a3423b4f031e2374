import { describe, expect, test } from "vitest";
import { claimsOf, nameRows, normalizeText, rowsOf, type ClaimRow } from "@/components/preview/results/claim-rows";

/** The rows after each text is typed into one field of one row, as a person types it. */
function type(rows: readonly ClaimRow[], index: number, field: "typedName" | "typedValue", texts: string[]) {
  return texts.reduce<ClaimRow[]>(
    (now, text) => nameRows(now.map((row, at) => (at === index ? { ...row, [field]: text } : row))),
    [...rows],
  );
}

describe("the value of a claim", () => {
  test("stays as typed while it is typed, and counts as the value that it means", () => {
    const typing = type(rowsOf({ level: "" }), 0, "typedValue", ["1", "1.", "1.0"]);
    expect(typing[0]?.typedValue).toBe("1.0");
    expect(claimsOf(typing)).toEqual({ level: 1 });
    expect(claimsOf(type(typing, 0, "typedValue", ["1.05"]))).toEqual({ level: 1.05 });
  });

  test("keeps its type as text", () => {
    const claims = { text: "a", number: "1", flag: "true", nothing: null, list: [1.5, "b"] };
    expect(claimsOf(rowsOf(claims))).toEqual(claims);
  });

  test("is shown as JSON keeps it once it is typed", () => {
    expect(["1.0", "1.05", "a b", "12345678901234567890", '{ "a": 1 }'].map(normalizeText)).toEqual([
      "1",
      "1.05",
      "a b",
      "12345678901234567000",
      '{"a":1}',
    ]);
  });
});

describe("a claim whose typed name is taken", () => {
  const rows = rowsOf({ team: "support", claim1: 7 });

  test("keeps its own name, and no value is lost", () => {
    const typed = type(rows, 1, "typedName", ["t", "te", "tea", "team"]);
    expect(typed[1]).toEqual({ name: "tea", typedName: "team", typedValue: "7" });
    expect(claimsOf(typed)).toEqual({ team: "support", tea: 7 });
    expect(claimsOf(type(typed, 1, "typedName", ["teams"]))).toEqual({ team: "support", teams: 7 });
  });

  test("gets the name when the other claim leaves it", () => {
    const taken = type(rows, 1, "typedName", ["team"]);
    expect(claimsOf(type(taken, 0, "typedName", ["group"]))).toEqual({ group: "support", team: 7 });
    expect(claimsOf(nameRows(taken.slice(1)))).toEqual({ team: 7 });
  });

  test("swaps names with another claim", () => {
    const swapped = type(type(rows, 1, "typedName", ["team"]), 0, "typedName", ["claim1"]);
    expect(claimsOf(swapped)).toEqual({ claim1: "support", team: 7 });
  });
});
