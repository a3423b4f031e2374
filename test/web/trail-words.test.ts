import { expect, it } from "vitest";
import { foldsOf } from "@/components/audit/trail-words";

const row = (id: string, action: "impact.matchers" | "people.signed_in", name = "ada", detail = "coarse counts") => ({
  id,
  action,
  detail,
  actor: { kind: "user" as const, name, role: "admin" },
});

it("reads of claims that follow each other fold into one line, and hide no other entry", () => {
  const rows = [
    row("6", "impact.matchers"),
    row("5", "impact.matchers", "bea"),
    row("4", "people.signed_in"),
    row("3", "impact.matchers"),
    row("2", "people.signed_in"),
    row("1", "impact.matchers"),
    row("0", "impact.matchers"),
  ];
  const folds = foldsOf(rows);
  expect(rows.map((one) => folds.get(one)?.label ?? null)).toEqual([
    "ada, bea: saw which callers a rule affects",
    "ada, bea: saw which callers a rule affects",
    null,
    null,
    null,
    "ada: saw which callers a rule affects",
    "ada: saw which callers a rule affects",
  ]);
  const values = row("2", "impact.matchers", "ada", "claim values");
  const around = [row("3", "impact.matchers"), values, row("1", "impact.matchers")];
  expect(foldsOf(around).size).toBe(0);
  expect(new Set([...folds.values()].map(({ id }) => id)).size).toBe(2);
});
