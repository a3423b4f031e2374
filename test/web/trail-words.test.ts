import { expect, it } from "vitest";
import { foldsOf, targetInWords } from "@/components/audit/trail-words";

type Action = "impact.matchers" | "people.signed_in" | "approvals.arguments";

const row = (id: string, action: Action, name = "ada", detail = "coarse counts", at = "2026-01-02T03:04:05.000Z") => ({
  id,
  action,
  detail,
  at,
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

it("one person's reads of arguments within an hour fold into one line, also beside other entries", () => {
  const read = (id: string, name: string, at: string) => row(id, "approvals.arguments", name, "", at);
  const rows = [
    read("6", "ada", "2026-01-02T04:00:00.000Z"),
    read("5", "ada", "2026-01-02T03:59:00.000Z"),
    row("4", "people.signed_in"),
    read("3", "bea", "2026-01-02T03:30:00.000Z"),
    read("2", "ada", "2026-01-02T03:10:00.000Z"),
  ];
  const folds = foldsOf(rows);
  expect(rows.map((one) => folds.get(one)?.label ?? null)).toEqual([
    null,
    "ada: read the arguments of a waiting call",
    null,
    null,
    "ada: read the arguments of a waiting call",
  ]);
});

it("a signing key is named by its use, and every other target by itself", () => {
  const target = "k".repeat(43);
  expect(targetInWords({ kind: "change", detail: "token-keys", target })).toBe("for access tokens");
  expect(targetInWords({ kind: "change", detail: "erasures", target })).toBe(target);
  expect(targetInWords({ kind: "event", detail: null, target: "call_1" })).toBe("call_1");
});
