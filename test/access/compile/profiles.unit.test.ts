import { describe, expect, test } from "vitest";
import { compileGrants, missingCapabilities } from "@/lib/access/model/capabilities";
import { numbersOf } from "@/lib/access/model/bitset";
import { compile } from "@/lib/access/compile/compile";
import { maskClaim } from "@/lib/access/matching/mask";
import { toolsWithheldByDrift } from "@/lib/access/compile/profile-index";
import {
  isRestricted,
  onlySources,
  profileAllows,
  profileNames,
  profiles,
  rename,
  withNames,
  withoutNames,
  withoutSources,
  type Profile,
} from "@/lib/access/compile/profiles";
import { configurationOf } from "@/bench/support/workload";

const profile = (name: string): Profile => {
  const found = profiles.get(name);
  if (found === undefined) throw new Error(`no profile ${name}`);
  return found;
};
const main = profile("main");

test("there are the four profiles of the specification, and only main is unrestricted", () => {
  expect(profileNames).toEqual(["main", "subagent", "scheduled", "a2a-synthesis"]);
  expect(profileNames.filter((name) => !isRestricted(profile(name)))).toEqual(["main"]);
});

describe("each profile denies exactly these sources and operations", () => {
  const facts = [
    ["subagent", "x"],
    ["a2a", "x"],
    ["jobs", "cancel_scheduled_task"],
    ["mcp", "mcp_register_server"],
    ["mcp", "mcp_unregister_server"],
    ["mcp", "MCP_register_server"],
    ["shop", "buy"],
  ] as const;
  const deniedBy = (name: string) =>
    facts
      .filter(([source, operation]) => !profileAllows(profile(name), source, operation))
      .map((fact) => fact.join(":"));

  test.each([
    ["main", []],
    ["subagent", ["subagent:x", "jobs:cancel_scheduled_task", "mcp:mcp_register_server", "mcp:mcp_unregister_server"]],
    ["scheduled", ["subagent:x", "mcp:mcp_register_server", "mcp:mcp_unregister_server"]],
    ["a2a-synthesis", ["a2a:x"]],
  ])("%s", (name, denied) => expect(deniedBy(name)).toEqual(denied));
});

describe("a profile made from another", () => {
  test("keeps every denial", () => {
    const strict = withNames(
      onlySources(withoutNames(withoutSources(main, "web"), "drop"), "web", "shop"),
      "drop",
      "buy",
    );
    expect(profileAllows(strict, "shop", "list")).toBe(true);
    expect(profileAllows(strict, "shop", "drop")).toBe(false);
    expect(profileAllows(strict, "web", "buy")).toBe(false);
    expect(profileAllows(strict, "other", "buy")).toBe(true);
    expect(profileAllows(strict, "other", "list")).toBe(false);
  });

  test("does not change the original", () => {
    const before = structuredClone(main);
    withoutSources(withoutNames(withNames(onlySources(rename(main, "new", "New"), "a"), "b"), "c"), "d");
    expect(main).toEqual(before);
  });

  test("is the same whatever the order of equal steps", () => {
    expect(withoutSources(withoutSources(main, "a"), "b")).toEqual(withoutSources(withoutSources(main, "b", "a"), "a"));
  });
});

describe("a granted capability", () => {
  test.each<[string, string, boolean]>([
    ["files.read", "files.read", true],
    ["files.read", "files.Read", false],
    ["files.*", "files.read", true],
    ["files.*", "files.read.own", true],
    ["files.*", "files", false],
    ["files.*", "files.", false],
    ["files.*", "filesystem", false],
    ["files:*", "files:read", true],
    ["files:*", "files.read", false],
    ["files*", "files.read", false],
    ["*", "anything", true],
    ["files.read", "files.*", false],
    ["files.*", "files.*", true],
  ])("%s, when %s is required: %s", (granted, required, covers) =>
    expect(compileGrants([granted])(required)).toBe(covers),
  );

  test("is not needed for a blank entry", () => expect(missingCapabilities(["", " ", "a"], [])).toEqual(["a"]));
});

test("each profile has a different description", () => {
  expect(profileNames.map((name) => [profile(name).name, profile(name).meaning])).toEqual([
    ["main", "Everything"],
    ["subagent", "Works for another agent"],
    ["scheduled", "Runs on a timer, with nobody watching"],
    ["a2a-synthesis", "Puts the answers of other agents together"],
  ]);
});

test("a profile is restricted when it denies something or does not allow everything", () => {
  expect(isRestricted(withNames(main, "a"))).toBe(false);
  expect([withoutNames(main, "a"), withoutSources(main, "a"), onlySources(main, "a")].map(isRestricted)).toEqual([
    true,
    true,
    true,
  ]);
});

test("names are sorted without repetition", () => {
  const twice = withNames(withoutNames(onlySources(main, "b", "a", "b"), "d", "c", "d"), "f", "e", "f");
  expect(withNames(twice, "e")).toMatchObject({
    allowedSources: ["a", "b"],
    deniedNames: ["c", "d"],
    allowedNames: ["e", "f"],
    deniedSources: [],
  });
});

test.each([
  "token",
  "secret",
  "password",
  "passwd",
  "credential",
  "apikey",
  "privatekey",
  "authorization",
  "cookie",
  "session",
  "email",
  "phone",
  "birthdate",
  "ssn",
])("a claim called %s is masked", (name) => expect(maskClaim(`user_${name}`, "x")).toBe("•••"));

test("a null claim is shown", () => {
  expect(maskClaim("email", null)).toBeNull();
});

test("sensitive claims are masked at any path, others are shown, an absent one stays absent", () => {
  for (const path of ["access_token", "user.e-mail", 'x["Client-Secret"]', "pass_word", "pass word", "API_KEY"])
    expect(maskClaim(path, "x")).toBe("•••");
  expect(maskClaim("realm_access.roles", ["staff"])).toEqual(["staff"]);
  expect(maskClaim("email", undefined)).toBeUndefined();
});

describe("over a catalogue", () => {
  const base = configurationOf({ tools: 4, groups: 1, policies: 0 });
  const tools = [
    { id: "shop:b", source: "shop", name: "1" },
    { id: "shop:a", source: "shop", name: "2" },
    { id: "shop:c", source: "shop", name: "3" },
    { id: "core:d", source: "core", name: "4" },
  ].map((tool, n) => ({ ...base.tools[n]!, ...tool }));
  const index = compile({
    ...base,
    sources: [...base.sources, { name: "core", kind: "builtin", enabled: true }],
    tools,
    driftAcceptances: [
      { profile: "subagent", tool: "shop:c", definitionHash: tools[2]!.definitionHash },
      { profile: "subagent", tool: "shop:b", definitionHash: "of another definition" },
      { profile: "scheduled", tool: "shop:a", definitionHash: tools[1]!.definitionHash },
    ],
  });
  const heldBy = (name: string) => toolsWithheldByDrift(index, name).map(({ id }) => id);

  test("drift withholds definitions that nobody accepted for the profile, in order of id; never built-in tools", () => {
    expect(heldBy("subagent")).toEqual(["shop:a", "shop:b"]);
    expect(heldBy("scheduled")).toEqual(["shop:b", "shop:c"]);
    expect(heldBy("main")).toEqual([]);
  });

  test("an unknown profile allows nothing, and drift is not the reason", () => {
    const { open, allowed, reviewed } = index.profiles("constructor");
    expect([open, numbersOf(allowed), numbersOf(reviewed)]).toEqual([false, [], [0, 1, 2, 3]]);
    expect(heldBy("nobody")).toEqual([]);
  });
});
