import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { FindingKind } from "@/lib/access/findings/finding";
import { findingsHoldUntil } from "@/lib/access/findings/findings";
import { findFindings, find, has, NOW, inWords, withPolicies, type Given } from "@/test/access/findings-of";

describe("a policy that matches nobody is reported with the reason and the fix", () => {
  const together = "Change conditions 1 and 2, or delete the policy.";
  test.each<[Given, string, string]>([
    [
      { validFrom: "2027-01-01T00:00:00Z", validUntil: "2027-01-01T00:00:00Z" },
      "its validity period is empty",
      "Correct the policy, or delete it.",
    ],
    [
      { matchers: [], everyone: false },
      "it has neither conditions nor `everyone`",
      "Correct the policy, or delete it.",
    ],
    [
      { matchers: [has("a", "exists"), has("b", "gt", "tall"), has("c", "resembles", "a")] },
      "conditions 2 and 3 cannot be evaluated, so no caller matches",
      "Change conditions 2 and 3, or delete the policy.",
    ],
    [
      { matchers: [has("a", "exists"), has("b.__proto__.c", "equals", "a")] },
      "no claim can exist at `b.__proto__.c`",
      "Change condition 2, or delete the policy.",
    ],
    [
      { matchers: [has("a", "equals", "x"), has("a", "not_exists")] },
      "conditions 1 and 2 require `a` to be both absent and present",
      together,
    ],
    [
      { matchers: [has("a", "not_exists"), has("a", "equals", "x")] },
      "conditions 1 and 2 require `a` to be both absent and present",
      together,
    ],
    [
      { matchers: [has("a", "in", [])] },
      "no value of `a` satisfies condition 1",
      "Change condition 1, or delete the policy.",
    ],
    [
      { matchers: [has("a", "gt", 5), has("a", "lt", 5), has("a", "exists")] },
      "no value of `a` satisfies conditions 1, 2 and 3 together",
      "Change conditions 1, 2 and 3, or delete the policy.",
    ],
    [
      { matchers: [has("a[0]", "exists"), has("a.b", "exists")] },
      "one of `a[0]` and `a.b` needs a list, the other an object",
      together,
    ],
    [
      { matchers: [has("a.b", "exists"), has("a", "equals", "x")] },
      "`a.b` makes `a` an object, which condition 2 does not accept",
      together,
    ],
    [
      { matchers: [has("a", "gt", 5), has("a[0]", "exists")] },
      "`a[0]` makes `a` a list, which condition 1 does not accept",
      together,
    ],
    [
      { matchers: [has("a", "not_exists"), has("a[0]", "exists")] },
      "`a[0]` makes `a` a list, which condition 1 does not accept",
      together,
    ],
  ])("%j", (policy, why, fix) => {
    const [found] = inWords(find(withPolicies(policy), "never_matches"));
    expect(found).toEqual({
      kind: "never_matches",
      severity: "error",
      about: "policy p1",
      what: "",
      text: `\`p1\` matches no caller: ${why}.`,
      fix,
      refs: [],
    });
  });
});

describe("a policy that matches everybody is reported, with or without `everyone`", () => {
  const meant = { kind: "matches_everyone", about: "policy p1", what: "", refs: [] };
  const unmeant = { ...meant, severity: "warning", fix: "Correct the conditions, or set `everyone`." };

  test("an allow that is for everyone", () => {
    expect(inWords(find(withPolicies({}), "matches_everyone"))).toEqual([
      {
        ...meant,
        severity: "info",
        text: "`p1` grants its groups to every caller, because `everyone` is set.",
        fix: "Ignore this if it is intended. Otherwise add conditions.",
      },
    ]);
  });

  test("a deny that only looks narrow", () => {
    const deny = { effect: "deny" as const, matchers: [has("role", "not_in", [])] };
    expect(inWords(find(withPolicies(deny), "matches_everyone"))).toEqual([
      { ...unmeant, text: "`p1` denies its groups to every caller, although `everyone` is not set." },
    ]);
  });

  test("an allow whose only matcher always holds", () => {
    const allow = { matchers: [has("constructor", "not_exists")] };
    expect(inWords(find(withPolicies(allow), "matches_everyone"))).toEqual([
      { ...unmeant, text: "`p1` grants its groups to every caller, although `everyone` is not set." },
    ]);
  });
});

describe("a useless policy is reported with the policy that makes it useless", () => {
  const roles = { matchers: [has("roles", "contains", "a")] };
  const found = { about: "policy p2", what: "p1", refs: ["policy p1"] };

  test.each([
    ["allow", "grants"],
    ["deny", "denies"],
  ] as const)("another %s", (effect, verb) => {
    expect(inWords(find(withPolicies({ effect, ...roles }, { effect, ...roles }), "redundant"))).toEqual([
      {
        ...found,
        kind: "redundant",
        severity: "warning",
        text: `\`p2\` is redundant: \`p1\` already ${verb} the same groups to every caller of this policy.`,
        fix: "Delete the policy, or change how it differs from `p1`.",
      },
    ]);
  });

  test("a deny over an allow", () => {
    expect(inWords(find(withPolicies({ effect: "deny", ...roles }, roles), "shadowed"))).toEqual([
      {
        ...found,
        kind: "shadowed",
        severity: "error",
        text: "`p2` never grants anything: `p1` denies the same groups to every caller of this policy.",
        fix: "Delete the policy, or narrow `p1`.",
      },
    ]);
  });
});

test("an expired policy is reported with its end", () => {
  const expired = (validUntil: string) => inWords(find(withPolicies({ validUntil, effect: "deny" }), "expired"));
  expect(expired("2026-03-31T12:00:00Z")).toEqual([
    {
      kind: "expired",
      severity: "warning",
      about: "policy p1",
      what: "",
      text: "`p1` has expired: it was valid until 2026-03-31T12:00:00Z.",
      fix: "Delete, deactivate or extend the policy.",
      refs: [],
    },
  ]);
});

test("a policy that was not analysed is reported with the matchers", () => {
  const matchers = [
    has("mail", "matches", "^a"),
    has("role", "equals", "a"),
    has("at", "gt", "2026-01-01T00:00:00Z"),
    has("at", "within_last", "P1D"),
    has("until", "within_next", "P1D"),
    has("level", "gt", 5),
  ];
  expect(inWords(find(withPolicies({ matchers }), "not_analysed"))).toEqual([
    {
      kind: "not_analysed",
      severity: "unknown",
      about: "policy p1",
      what: "matchers",
      text:
        "`p1` was not analysed in condition 1 (`mail`: a regular expression), condition 3 (`at`: a comparison of times)," +
        " condition 4 (`at`: depends on the time of the request), condition 5 (`until`: depends on the time of the request).",
      fix: "Preview the policy with claims that should match, and with claims that should not.",
      refs: [],
    },
  ]);
});

test("a pair without example claims counts as not analysed, never as fine", () => {
  const unseen = { matchers: [has("mail", "matches", "^[^x]y$")] };
  const [, finding] = inWords(find(withPolicies(unseen, unseen), "redundant", "not_analysed")).filter(
    ({ about }) => about === "policy p2",
  );
  expect(finding).toMatchObject({
    kind: "not_analysed",
    what: "p1",
    text: "`p2` seems redundant by `p1`, but no example claims were found.",
  });
});

test("findings are sorted by kind, then by the rule's name, then by its part", () => {
  const configuration = withPolicies(
    { name: "b", groups: ["nowhere", "elsewhere"] },
    { name: "a", groups: ["nowhere"] },
    { name: "c", matchers: [has("a", "in", [])] },
  );
  const kinds: readonly FindingKind[] = ["never_matches", "grants_missing_group", "matches_everyone"];
  const found = findFindings(compile(configuration), NOW).filter(({ kind }) => kinds.includes(kind));
  expect(found.map(({ kind, about, what }) => `${kind} ${about.name} ${what}`.trim())).toEqual([
    "never_matches c",
    "grants_missing_group a nowhere",
    "grants_missing_group b elsewhere",
    "grants_missing_group b nowhere",
    "matches_everyone a",
    "matches_everyone b",
  ]);
});

test("a policy with known matchers is never reported as not analysed", () => {
  expect(find(withPolicies({ matchers: [has("role", "equals", "a")] }), "not_analysed")).toEqual([]);
});

test("a policy with `everyone` and matchers does not match everybody", () => {
  const policy = { effect: "deny" as const, everyone: true, matchers: [has("role", "not_in", [])] };
  expect(find(withPolicies(policy), "matches_everyone")).toMatchObject([{ severity: "warning" }]);
});

describe("a witness shows", () => {
  const witnessOf = (kind: FindingKind, ...policies: readonly Given[]) =>
    find(withPolicies(...policies), kind)[0]?.witness;
  const role = has("role", "equals", "a");

  test("claims that satisfy all contradicting matchers except the last", () => {
    const never: Given = { matchers: [role, has("dept", "equals", "x"), has("role", "not_equals", "a")] };
    expect(witnessOf("never_matches", never)).toEqual({
      claims: { role: "a", dept: "x" },
      at: NOW,
      matched: [],
      grantedGroups: [],
    });
    expect(
      witnessOf("never_matches", { matchers: [has("role", "in", []), has("dept", "equals", "x")] })?.claims,
    ).toEqual({ dept: "x" });
  });

  test("the resolver's answer to them", () => {
    const witness = witnessOf("redundant", { matchers: [role] }, { matchers: [role] });
    expect(witness).toEqual({ claims: { role: "a" }, at: NOW, matched: ["p1", "p2"], grantedGroups: ["readers"] });
  });

  test("the time: now, or when the policy begins", () => {
    const later = "2027-01-01T00:00:00Z";
    expect(witnessOf("matches_everyone", { validFrom: "2026-01-01T00:00:00Z" })?.at).toBe(NOW);
    expect(witnessOf("matches_everyone", { validFrom: later })?.at).toBe(Date.parse(later));
  });
});

test("findings hold until the next instant, not this one", () => {
  const index = compile(withPolicies({ validUntil: "2026-03-31T12:00:00Z" }, { validFrom: "2026-04-01T00:00:00Z" }));
  expect(findingsHoldUntil(index, NOW)).toBe(Date.parse("2026-04-01T00:00:00Z"));
});
