import { describe, expect, it } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import type { Configuration } from "@/lib/access/model/configuration";
import { atOnce } from "@/lib/access/model/parts";
import { judgeChanges, type ReviewedChange } from "@/lib/config/review/judge";
import { COMPANY, NOW, row } from "@/test/access/review/review-world";

// What a request policy offers is judged like what an allow shows (docs/reference/governance.md#verdict).

const equals = (claim: string, value: unknown) => ({ claim, operator: "equals", value, ignoreCase: false });
const byHand = (tool: string) => ({ tool, who: null, when: null });

describe("a request policy", () => {
  const OFFER = row("policies", {
    name: "ask",
    effect: "request",
    maxHours: 8,
    approvers: ["editor"],
    matchers: [equals("team", "duty")],
    groups: ["offered"],
  }) as Configuration["policies"][number];
  const OFFERED = row("groups", { name: "offered", include: [byHand("crm:remove"), byHand("crm:create")] });
  /** Everybody but the people on duty sees nothing; they may request what no deny and no later step withholds. */
  const config = {
    ...COMPANY.config,
    tools: COMPANY.config.tools.map((tool) => (tool.id === "crm:create" ? { ...tool, enabled: false } : tool)),
    groups: [...COMPANY.config.groups, OFFERED],
    policies: [...COMPANY.config.policies.filter(({ effect }) => effect === "deny"), OFFER],
  } as Configuration;
  const index = compile(config);
  const change = (resource: string, before: object, fields: object | null): ReviewedChange => {
    const { id, name } = before as { readonly id?: string; readonly name: string };
    return { resource, id: id ?? name, before, after: fields && { ...before, ...fields }, setsSecret: false };
  };
  const toolNamed = (id: string) => config.tools.find((tool) => tool.id === id)!;
  const groupNamed = (name: string) => config.groups.find((group) => group.name === name)!;
  const deny = config.policies.find(({ name }) => name === "no-contractors")!;
  const verdict = (...changes: readonly ReviewedChange[]) => atOnce(judgeChanges(index, changes, NOW)).kind;
  const include = [...groupNamed("offered").include, byHand("billing:create")];
  const another = { ...OFFER, name: "another" };

  it.each([
    ["a tool more in its group", change("groups", groupNamed("offered"), { include })],
    ["its disabled tool enabled", change("tools", toolNamed("crm:create"), { enabled: true })],
    ["a capability less of its tool", change("tools", toolNamed("crm:remove"), { requiredCapabilities: [] })],
    ["a class less of its tool", change("tools", toolNamed("crm:remove"), { flow: { raises: [], is: [] } })],
    ["longer grants", change("policies", OFFER, { maxHours: 9 })],
    ["other approvers", change("policies", OFFER, { approvers: ["editor", "auditor"] })],
    ["everybody may approve", change("policies", OFFER, { approvers: null })],
    ["more callers", change("policies", OFFER, { matchers: [], everyone: true })],
    ["another group", change("policies", OFFER, { groups: ["offered", "wiki-read"] })],
    [
      "another policy that offers for longer",
      { ...change("policies", OFFER, { name: "another", maxHours: 9 }), before: null },
    ],
  ])("waits like an allow: %s", (_name, one) => expect(verdict(one)).toBe("unknown"));

  it("waits like an allow when a deny no longer withholds its tools", () => {
    const withheld = change("groups", groupNamed("offered"), { include });
    const before = compile({
      ...config,
      groups: config.groups.map((one) => (one === OFFERED ? withheld.after : one)),
    } as never);
    const gone = change("policies", deny, null);
    expect(atOnce(judgeChanges(before, [gone], NOW)).kind).toBe("unknown");
    expect(verdict(gone)).toBe("same");
  });

  it.each([
    ["shorter grants", "narrower", change("policies", OFFER, { maxHours: 4 })],
    [
      "fewer callers",
      "narrower",
      change("policies", OFFER, { matchers: [...OFFER.matchers, equals("level", "senior")] }),
    ],
    ["a tool less in its group", "narrower", change("groups", groupNamed("offered"), { include: include.slice(1, 2) })],
    ["deleted", "narrower", change("policies", OFFER, null)],
    ["a second policy that offers the same", "same", { ...change("policies", another, {}), before: null }],
    ["other words", "same", change("policies", OFFER, { description: "On duty?" })],
  ] as const)("is saved at once: %s", (_name, kind, one) => expect(verdict(one)).toBe(kind));
});

describe("a new allow for the caller of an access grant", () => {
  const END = new Date(NOW + 8 * 3_600_000).toISOString();
  const ASK = row("policies", { name: "ask", effect: "request", maxHours: 8, everyone: true, groups: ["wiki-write"] });
  const grant = { id: "g1", policy: "ask", tool: "wiki:create", issuer: "https://i", subject: "bob" };
  const allow = row("policies", {
    name: "bob",
    matchers: [equals("iss", "https://i"), equals("sub", "bob")],
    validUntil: END,
    groups: ["created"],
  });
  const created = row("groups", { name: "created", include: [byHand("wiki:create")] });

  it.each([
    ["ide", "wider"],
    [null, "unknown"],
  ])("waits, because the grant holds for one client: %s", (client, kind) => {
    const grants = [{ ...grant, client, from: new Date(NOW - 1).toISOString(), until: END }];
    const policies = [...COMPANY.config.policies, ASK];
    const index = compile({ ...COMPANY.config, policies, accessGrants: grants } as Configuration);
    const changes = [
      { resource: "groups", id: "created", before: null, after: created, setsSecret: false },
      { resource: "policies", id: "bob", before: null, after: allow, setsSecret: false },
    ];
    expect(atOnce(judgeChanges(index, changes, NOW)).kind).toBe(kind);
  });
});
