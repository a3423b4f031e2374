import { expect, test } from "vitest";
import { seenPaths, seenValues } from "@/lib/access/impact/seen-claims";
import { parseClaimPath } from "@/lib/access/model/claims";
import { isProblem } from "@/lib/access/model/problem";

const valuesAt = (path: string, callers: Parameters<typeof seenValues>[0]) => {
  const parsed = parseClaimPath(path);
  if (isProblem(parsed)) throw new Error(parsed.problem);
  return seenValues(callers, parsed);
};

test("the values of a claim are counted once for each caller, alone or in a list, most frequent first", () => {
  const callers = [
    { realm: { roles: ["admin", "staff", "staff"] } },
    { realm: { roles: "staff" } },
    { realm: { roles: [7, true, null, ["nested"], { no: "object" }] } },
    { realm: {} },
  ];
  expect(valuesAt("realm.roles", callers)).toEqual([
    { value: "staff", callers: 2 },
    { value: "7", callers: 1 },
    { value: "admin", callers: 1 },
    { value: "true", callers: 1 },
  ]);
  expect(valuesAt("realm", callers)).toEqual([]);
});

test("a path says whether some caller carries a list there", () => {
  const callers = [{ roles: "staff", team: { name: "a" } }, { roles: ["staff"] }];
  expect(seenPaths(callers)).toEqual([
    { path: "roles", callers: 2, list: true },
    { path: "team.name", callers: 1, list: false },
  ]);
});
