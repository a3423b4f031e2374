import { expect, it } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { requestOf } from "@/lib/access/model/request";
import { visibleNumbers } from "@/lib/access/decide/resolve";
import { candidatesFor, withCandidate, type Candidate } from "@/lib/access/rightsizing/candidates";
import type { ReviewedChange } from "@/lib/config/review/judge";
import { COMPANY, judged, NOW } from "@/test/access/review/review-world";

// The smaller grants of a policy that grants three groups, of which its callers use two.

const POLICY = COMPANY.config.policies.find(({ name }) => name === "sales-read")!;
const SALES = requestOf({ department: "sales" });
const REACHABLE = ["crm", "billing", "wiki"].flatMap((source) =>
  ["list", "read", "search"].map((operation) => `${source}:${operation}`),
);
const candidates = (unused: readonly string[]) =>
  candidatesFor(COMPANY, { policy: POLICY, reachable: REACHABLE, unused: new Set(unused) });
const WIKI = ["wiki:list", "wiki:read", "wiki:search"];

/** The rows that a candidate changes or creates, as the writer passes them to the gate. */
function changesOf({ policy, newPolicy, groups }: Candidate): readonly ReviewedChange[] {
  const change = (resource: "groups" | "policies", after: { readonly name: string }): ReviewedChange => {
    const before = COMPANY.config[resource].find(({ name }) => name === after.name) ?? null;
    return { resource, id: after.name, before, after, setsSecret: false };
  };
  const policies = [policy, newPolicy].filter((one) => one !== null);
  return [...groups.map((group) => change("groups", group)), ...policies.map((one) => change("policies", one))];
}

it("are the four kinds, smallest change first, and none when all tools or no tools are used", () => {
  expect(candidates(WIKI).map(({ kind }) => kind)).toEqual([
    "drop_groups",
    "exclude_tools",
    "own_group",
    "rest_on_request",
  ]);
  // A group with a used tool stays.
  expect(candidates(["wiki:list"]).map(({ kind }) => kind)).not.toContain("drop_groups");
  expect([candidates([]), candidates(REACHABLE)]).toEqual([[], []]);
});

it.each(candidates(WIKI).map((candidate) => [candidate.kind, candidate] as const))(
  "%s removes the unused tools alone, and needs no second person",
  (_kind, candidate) => {
    expect(candidate.removed).toEqual(WIKI);
    const after = compile(withCandidate(COMPANY.config, candidate));
    const seen = visibleNumbers(after, SALES, NOW).map((number) => after.tools.all[number]?.id ?? "");
    expect(REACHABLE.filter((tool) => !seen.includes(tool))).toEqual(WIKI);
    expect(judged(...changesOf(candidate)).kind).toBe("narrower");
  },
);
