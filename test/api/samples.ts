import type { ResourceName } from "@/lib/resources/index";

/** One resource's example rows, and what the suite does with them. */
export interface Sample {
  /** Rows of other resources that it names. */
  readonly needs: readonly (readonly [ResourceName, object])[];
  readonly first: Readonly<Record<string, unknown>>;
  readonly second: Readonly<Record<string, unknown>>;
  /** Fields of `first` that a replacement changes. */
  readonly change: Readonly<Record<string, unknown>>;
  /** A filter that finds `first` and not `second`. */
  readonly filter?: readonly [string, string];
  /** A field with a value that is refused, and the path that names it. */
  readonly bad: { readonly fields: Readonly<Record<string, unknown>>; readonly path: string };
  /** Ids of rows that exist anyway: the test's person is a user. */
  readonly always?: readonly string[];
  /** A row of another resource that uses `first`. */
  readonly user?: readonly [ResourceName, Readonly<Record<string, unknown>>];
}

const source = { name: "kitchen", kind: "http" };
const tool = { description: "Does it.", inputSchema: { type: "object" } };
const group = { name: "menu" };
const issuerOf = (name: string) => ({
  name,
  issuer: `https://${name}.example`,
  audience: "qm",
  jwksUri: `https://${name}.example/jwks`,
});

/** An example of every resource: a new resource without one does not compile. */
export const samples: Readonly<Record<ResourceName, Sample>> = {
  sources: {
    needs: [],
    first: {
      name: "pizzeria",
      kind: "openapi",
      url: "https://pizza.example/openapi.json",
      displayName: "Pizzeria Roma",
    },
    second: { name: "clock", kind: "builtin", enabled: false },
    change: { enabled: false, auth: { mode: "bearer", secret: "pizza" } },
    filter: ["kind", "openapi"],
    bad: { fields: { kind: "ftp" }, path: "kind" },
    user: ["tools", { id: "pizzeria:list", ...tool }],
  },
  tools: {
    needs: [
      ["sources", source],
      ["groups", group],
    ],
    first: {
      id: "kitchen:bake",
      ...tool,
      tags: ["oven", "hot"],
      groups: ["menu"],
      availableInStates: [],
      version: "2",
    },
    second: { id: "kitchen:cool", ...tool, groups: null, availableInStates: null, outputSchema: null },
    change: { groups: [], availableInStates: ["*"], outputSchema: { type: "string" }, version: "3" },
    filter: ["tag", "oven"],
    bad: { fields: { groups: ["nowhere"] }, path: "groups[0]" },
    user: ["groups", { name: "by-hand", include: [{ tool: "kitchen:bake" }] }],
  },
  groups: {
    needs: [],
    first: {
      name: "finance",
      selectors: [{ source: "bank*", requiredTags: ["money"] }],
      description: "All about money",
    },
    second: { name: "other", active: false },
    change: { active: false, guidance: "Only on weekdays" },
    filter: ["active", "true"],
    bad: { fields: { selectors: [{ name: "regex:(" }] }, path: "selectors[0].name" },
    user: ["policies", { name: "money", everyone: true, groups: ["finance"] }],
  },
  policies: {
    needs: [["groups", group]],
    first: {
      name: "staff",
      matchers: [{ claim: "roles", operator: "contains", value: "staff" }],
      groups: ["menu"],
      validFrom: "2026-01-31T00:00:00+02:00",
    },
    second: { name: "nobody", effect: "deny", everyone: true, groups: ["*"], priority: 5, mode: "observe" },
    change: { effect: "request", maxHours: 8, approvers: ["editor"], priority: 10, groups: ["*"], active: false },
    filter: ["effect", "allow"],
    bad: {
      fields: { matchers: [{ claim: "roles", operator: "resembles", value: "x" }] },
      path: "matchers[0].operator",
    },
  },
  machines: {
    needs: [],
    first: {
      name: "research",
      initial: "open",
      states: [{ name: "open" }, { name: "done", terminal: true }],
      rules: [],
    },
    second: { name: "trivial", initial: "only", states: [{ name: "only" }], openStart: true },
    change: { openStart: true, description: "Two states" },
    filter: ["openStart", "false"],
    bad: { fields: { initial: "nowhere" }, path: "initial" },
    user: ["agents", { name: "runner", machine: "research" }],
  },
  personas: {
    needs: [],
    first: { name: "analyst", capabilities: ["files.read"], sampleClaims: { realm_access: { roles: ["staff"] } } },
    second: { name: "guest" },
    change: { capabilities: [] },
    filter: ["capability", "files.read"],
    bad: { fields: { capabilities: "all" }, path: "capabilities" },
    user: ["agents", { name: "reader", persona: "analyst" }],
  },
  intents: {
    needs: [["groups", group]],
    first: { name: "EAT", groups: ["menu"] },
    second: { name: "ANY", groups: ["*"] },
    change: { groups: [] },
    filter: ["group", "menu"],
    bad: { fields: { groups: ["nowhere"] }, path: "groups[0]" },
  },
  labels: {
    needs: [],
    first: { name: "untrusted", scope: "caller", holdMinutes: 60 },
    second: { name: "draft", scope: "run" },
    change: { holdMinutes: null, description: "Text that anybody may have written" },
    filter: ["scope", "caller"],
    bad: { fields: { scope: "run", holdMinutes: 5 }, path: "holdMinutes" },
    user: ["flows", { name: "guard", when: ["untrusted"], restrict: [{ is: "outward" }] }],
  },
  flows: {
    needs: [["labels", { name: "untrusted", scope: "caller" }]],
    first: { name: "no-sending", when: ["untrusted"], restrict: [{ is: "outward" }] },
    second: {
      name: "ask",
      when: ["untrusted"],
      restrict: [{ tool: "builtin:calculate" }],
      effect: "approve",
      mode: "observe",
    },
    change: { active: false, restrict: [{ selector: { readOnly: false } }] },
    filter: ["mode", "enforce"],
    bad: { fields: { when: ["nowhere"] }, path: "when[0]" },
  },
  issuers: {
    needs: [],
    first: issuerOf("corp"),
    second: { ...issuerOf("partner"), enabled: false },
    change: { algorithms: ["EdDSA"], capabilitiesClaim: "scope" },
    filter: ["enabled", "true"],
    bad: { fields: { algorithms: ["HS256"] }, path: "algorithms[0]" },
    user: ["agents", { name: "bound", issuer: "corp", subject: "s-1" }],
  },
  agents: {
    needs: [["issuers", issuerOf("corp")]],
    first: { name: "bot-1", issuer: "corp", subject: "bot-1", attributes: { team: "finance" }, profile: "main" },
    second: { name: "bot-2", enabled: false },
    change: { attributes: {}, profile: "subagent" },
    filter: ["issuer", "corp"],
    bad: { fields: { profile: "limitless" }, path: "profile" },
    user: ["api-keys", { name: "bot-1-key", agent: "bot-1" }],
  },
  assertions: {
    needs: [],
    first: { name: "staff see the menu", given: { claims: { a: 1 } }, expect: { visible: ["kitchen:bake"] } },
    second: { name: "nobody sees anything", given: {}, expect: { exactly: true } },
    change: { expect: { hidden: [{ requiredTags: ["hot"] }] } },
    bad: { fields: { given: { persona: "nobody" } }, path: "given.persona" },
  },
  "api-keys": {
    needs: [["agents", { name: "cook" }]],
    first: { name: "cook-key", agent: "cook" },
    second: { name: "spare-key", agent: "cook", enabled: false },
    change: { enabled: false },
    filter: ["enabled", "true"],
    bad: { fields: { agent: "nobody" }, path: "agent" },
  },
  tokens: {
    needs: [],
    first: { name: "ci", role: "editor" },
    second: { name: "backup", role: "auditor", expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString() },
    change: { enabled: false },
    filter: ["role", "editor"],
    bad: { fields: { role: "root" }, path: "role" },
  },
  users: {
    needs: [],
    first: { name: "grace", email: "grace@navy.example", role: "editor" },
    second: { name: "katherine", email: "kj@nasa.example", displayName: "Katherine", role: "auditor", enabled: false },
    change: { role: "auditor", displayName: "Grace Hopper" },
    filter: ["role", "editor"],
    bad: { fields: { email: "grace" }, path: "email" },
    always: ["the-admin"],
  },
  clients: {
    needs: [["agents", { name: "reader" }]],
    first: { name: "editor-plugin", redirectUris: ["http://127.0.0.1/callback"] },
    second: {
      name: "nightly",
      agent: "reader",
      jwks: { keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y" }] },
      enabled: false,
    },
    change: { description: "For the editor", redirectUris: ["https://editor.example.com/callback"] },
    filter: ["enabled", "true"],
    bad: { fields: { redirectUris: ["http://evil.example.com/"] }, path: "redirectUris[0]" },
  },
  webhooks: {
    needs: [],
    first: { name: "chat", url: "https://chat.example/hook", events: ["approval.requested", "breaker.opened"] },
    second: { name: "pager", url: "https://pager.example/hook", events: ["audit.alarm"], active: false },
    change: { url: "https://chat.example/other", events: ["approval.requested"], active: false },
    filter: ["event", "breaker.opened"],
    bad: { fields: { url: "https://me:secret@chat.example/" }, path: "url" },
  },
};
