import { expect, it } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { requestOf } from "@/lib/access/model/request";
import { visibleNumbers } from "@/lib/access/decide/resolve";
import { candidatesFor, withCandidate, type Candidate } from "@/lib/access/rightsizing/candidates";
import type { Group, Policy, Tool } from "@/lib/access/model/configuration";
import type { ReviewedChange } from "@/lib/config/review/judge";
import { COMPANY, judged, NOW, row } from "@/test/access/review/review-world";
import { cpuMs } from "@/test/support/cpu-time";

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

it.each([
  [true, ["wiki:list"]],
  [false, undefined],
])("drops a group for another with the same used tools only if that is active: %s", (active, removed) => {
  const byHand = (tool: string) => ({ tool, who: null, when: null });
  const other = row("groups", { name: "other", active, include: ["wiki:read", "wiki:search"].map(byHand) }) as Group;
  const index = compile({ ...COMPANY.config, groups: [...COMPANY.config.groups, other] });
  const policy: Policy = { ...POLICY, groups: [...POLICY.groups, other.name] };
  const use = { policy, reachable: REACHABLE, unused: new Set(["wiki:list"]) };
  const dropping = candidatesFor(index, use).find(({ kind }) => kind === "drop_groups");
  expect(dropping?.removed).toEqual(removed);
});

it("has two new groups of different names also when the policy's name fills a name", () => {
  const policy = { ...POLICY, name: "p".repeat(60) };
  const [, , , rest] = candidatesFor(COMPANY, { policy, reachable: REACHABLE, unused: new Set(WIKI) });
  expect(rest?.kind).toBe("rest_on_request");
  expect(new Set(rest?.groups.map(({ name }) => name)).size).toBe(2);
  expect(rest?.newPolicy?.groups).toEqual([rest?.groups[1]?.name]);
});

it("excludes no tool of a group without room for it, and says so", () => {
  const full = Array.from({ length: 4_999 }, (_, number) => ({ tool: `x:t${number}`, who: null, when: null }));
  const groups = COMPANY.config.groups.map((group) =>
    group.name === "wiki-read" ? { ...group, exclude: full.map((one) => ({ ...one, reason: "" })) } : group,
  );
  const index = compile({ ...COMPANY.config, groups });
  const unused = new Set([...WIKI, "billing:list"]);
  const excluded = candidatesFor(index, { policy: POLICY, reachable: REACHABLE, unused }).find(
    ({ kind }) => kind === "exclude_tools",
  );
  expect(excluded?.removed).toEqual(["billing:list"]);
  expect(excluded?.groups.map(({ name }) => name)).toEqual(["billing-read"]);
});

it("excludes no tool from a group that a deny names: the deny would withhold it no longer", () => {
  const deny = row("policies", {
    name: "no-wiki",
    effect: "deny",
    matchers: [{ claim: "employment", operator: "equals", value: "contractor" }],
    groups: ["wiki-read"],
  }) as Policy;
  const all = row("policies", { name: "all", everyone: true, groups: ["*"] }) as Policy;
  const config = { ...COMPANY.config, policies: [...COMPANY.config.policies, deny, all] };
  const unused = new Set([...WIKI, "billing:list"]);
  const found = candidatesFor(compile(config), { policy: POLICY, reachable: REACHABLE, unused });
  expect(found.find(({ kind }) => kind === "exclude_tools")?.removed).toEqual(["billing:list"]);
  for (const candidate of found) {
    const after = compile(withCandidate(config, candidate));
    const seen = visibleNumbers(after, requestOf({ employment: "contractor" }), NOW);
    expect(seen.filter((number) => WIKI.includes(after.tools.all[number]?.id ?? ""))).toEqual([]);
  }
});

it.each(["quarantined", "disabled"])("keep a tool that nobody sees now, so that it comes back: %s", (how) => {
  const config = {
    ...COMPANY.config,
    tools: COMPANY.config.tools.map((tool): Tool => {
      if (tool.id !== "wiki:read") return tool;
      return how === "quarantined" ? { ...tool, status: "quarantined" } : { ...tool, enabled: false };
    }),
    groups: [
      ...COMPANY.config.groups,
      row("groups", { name: "w", include: ["wiki:list"].map((tool) => ({ tool, who: null, when: null })) }) as Group,
    ],
  };
  const policy: Policy = { ...POLICY, groups: [...POLICY.groups, "w"] };
  const policies = config.policies.map((one) => (one === POLICY ? policy : one));
  const index = compile({ ...config, policies });
  const reachable = REACHABLE.filter((tool) => tool !== "wiki:read");
  const found = candidatesFor(index, { policy, reachable, unused: new Set(["wiki:search"]) });
  expect(found.map(({ kind }) => kind)).toEqual(["exclude_tools", "own_group", "rest_on_request"]);
  for (const candidate of found) {
    const tools = COMPANY.config.tools;
    const after = compile(withCandidate({ ...config, policies, tools }, candidate));
    const seen = visibleNumbers(after, SALES, NOW).map((number) => after.tools.all[number]?.id ?? "");
    expect(REACHABLE.filter((tool) => !seen.includes(tool))).toEqual(["wiki:search"]);
  }
});

it("are found in time that grows with the memberships, not with groups × tools", () => {
  const COUNT = 500;
  const tools = Array.from({ length: 5_000 }, (_, number) => ({
    ...(COMPANY.config.tools[0] as Tool),
    id: `crm:t${number}`,
    name: `t${number}`,
    groups: [`g${number % COUNT}`, `g${(number + 1) % COUNT}`],
  }));
  const groups = Array.from({ length: COUNT }, (_, number) => row("groups", { name: `g${number}` }) as Group);
  const index = compile({ ...COMPANY.config, tools, groups, policies: [] });
  const policy: Policy = { ...POLICY, groups: groups.map(({ name }) => name) };
  const reachable = tools.map(({ id }) => id);
  const unused = new Set(reachable.slice(0, COUNT));
  let found: readonly Candidate[] = [];
  const taken = cpuMs(() => (found = candidatesFor(index, { policy, reachable, unused })));
  // Every tool is in two neighbouring groups. Each second group could go, and that removes nothing.
  expect(found.map(({ kind }) => kind)).toEqual(["exclude_tools", "own_group", "rest_on_request"]);
  expect(taken).toBeLessThan(500);
});
