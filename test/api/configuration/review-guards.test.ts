import { Client } from "pg";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { POST as CREATE } from "@/app/api/admin/[resource]/route";
import { PUT } from "@/app/api/admin/[resource]/[id]/route";
import { PUT as PUT_CONFIG } from "@/app/api/admin/config/route";
import { POST as ANSWER_GUESSES } from "@/app/api/admin/flow-guesses/answer/route";
import { POST as APPROVE } from "@/app/api/admin/requests/[id]/approve/route";
import { PUT as PUT_SETTINGS } from "@/app/api/admin/settings/route";
import { REVIEW_FIELDS } from "@/lib/config/review/fields";
import type { HeldChange } from "@/lib/contracts/changes/request";
import { KINDS, type ResourceName } from "@/lib/resources/kinds";
import { settingsInput } from "@/lib/resources/settings";
import { tokens } from "@/lib/store/people/tokens";
import { write, type Actor } from "@/lib/store/save/write";
import { ask, type Got } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { signIn } from "@/test/support/person";

// Every guard that a person can weaken, one field at a time, through the routes that save it.

const database = useDatabase();
const PROGRAM: Actor = { kind: "system", name: "test", role: "admin" };

/** The strictest value of each setting that guards something. */
const STRICT = {
  openStart: false,
  approvals: { sideEffects: true, minutes: 5 },
  clientSignIn: { enabled: false, registration: false },
  redact: ["iban", "card"],
  review: { changes: "all", bypassHours: 1 },
};
const tool = (id: string, fields: object = {}) => ({
  id,
  description: "d",
  inputSchema: { type: "object" },
  groups: [],
  ...fields,
});
const jwksUri = "https://idp.example/jwks";
/** One strict row of each kind that a document has. */
const ROWS = {
  sources: { name: "crm", kind: "http", url: "https://api.example", enabled: false, outputCheck: "withhold" },
  tools: tool("wiki:read", {
    groups: ["staff"],
    hasSideEffects: true,
    requiresApproval: true,
    requiredCapabilities: ["wiki.read"],
    requiredScopes: ["read"],
    outputCheck: "withhold",
    limits: { rate: { points: 5, seconds: 60 } },
    flow: { raises: ["seen"], is: ["outward"] },
  }),
  groups: { name: "staff", exclude: [{ tool: "wiki:list", reason: "unsafe" }] },
  policies: {
    name: "staff",
    matchers: [{ claim: "role", operator: "equals", value: "staff" }],
    arguments: [{ claim: "amount", operator: "lte", value: 100 }],
    validUntil: "2030-01-01T00:00:00Z",
    groups: ["staff"],
  },
  machines: {
    name: "case",
    initial: "open",
    states: [{ name: "open" }, { name: "done" }],
    rules: [{ tool: "wiki:read", availableIn: ["open"] }],
  },
  personas: { name: "clerk", capabilities: ["wiki.read"] },
  labels: { name: "seen", scope: "caller", holdMinutes: 60 },
  flows: { name: "no-send", when: ["seen"], restrict: [{ is: "outward" }] },
  issuers: { name: "idp", issuer: "https://idp.example", audience: "qm", jwksUri, allowUnregistered: false },
  agents: { name: "bot", persona: "clerk", profile: "subagent", machine: "case", limits: { concurrency: 1 } },
};
const OFFER = { name: "ask", effect: "request", maxHours: 2, everyone: true, groups: ["offered"] };
const DOCUMENT = {
  apiVersion: "quartermaster/v1",
  sources: [ROWS.sources, { name: "wiki", kind: "http" }],
  tools: [
    ROWS.tools,
    tool("wiki:list"),
    tool("wiki:offered", { groups: ["offered"] }),
    tool("wiki:export", { groups: ["offered"], enabled: false }),
    tool("wiki:guessed", { groups: ["staff"], flowGuess: [{ kind: "is", word: "outward", from: "POST" }] }),
    tool("wiki:raising", { groups: ["staff"], flowGuess: [{ kind: "raises", word: "seen", from: "GET" }] }),
    tool("crm:read", { groups: ["staff"] }),
  ],
  groups: [ROWS.groups, { name: "offered" }, { name: "idle" }],
  policies: [ROWS.policies, OFFER],
  machines: [ROWS.machines],
  personas: [ROWS.personas],
  labels: [ROWS.labels],
  flows: [ROWS.flows],
  issuers: [ROWS.issuers],
  agents: [ROWS.agents],
  intents: [],
};
const CLIENT = { name: "app", redirectUris: ["https://app.example/callback"], enabled: false };

type Weakened = readonly [name: string, resource: ResourceName, row: object, weaker: object];

const every = (resource: keyof typeof ROWS, weaker: readonly object[]): readonly Weakened[] =>
  weaker.map((fields) => [`${resource}: ${JSON.stringify(fields)}`, resource, ROWS[resource], fields] as const);

/** Changes of one field, each of which takes a guard away or gives a right. */
const WEAKENED: readonly Weakened[] = [
  ...every("sources", [
    { enabled: true },
    { url: "https://other.example" },
    { outputCheck: "warn" },
    { auth: { mode: "bearer", secret: "other" } },
    { joinNewOperations: "automatic" },
    { idempotencyHeader: "Idempotency-Key" },
  ]),
  ...every("tools", [
    { requiresApproval: false },
    { hasSideEffects: false },
    { requiredCapabilities: [] },
    { requiredScopes: [] },
    { outputCheck: "warn" },
    { limits: { rate: { points: 6, seconds: 60 } } },
    { flow: { raises: ["seen"], is: [] } },
    { inputSchema: {} },
    { run: { kind: "http", method: "DELETE", url: "https://other.example" } },
  ]),
  ...every("groups", [
    { selectors: [{ source: "wiki" }], exclude: [] },
    { include: [{ tool: "wiki:list" }], exclude: [] },
  ]),
  ...every("policies", [
    { arguments: [{ claim: "amount", operator: "lte", value: 101 }] },
    { arguments: [] },
    { validUntil: null },
    { matchers: [], everyone: true },
    { groups: ["staff", "default"], matchers: [{ claim: "role", operator: "exists" }] },
  ]),
  ...every("machines", [
    { rules: [] },
    { rules: [{ tool: "wiki:read", availableIn: ["open"], transitions: [{ from: "open", to: "done" }] }] },
  ]),
  ...every("personas", [{ capabilities: ["wiki.*"] }]),
  ...every("labels", [{ holdMinutes: 30 }, { scope: "run", holdMinutes: null }]),
  ...every("flows", [
    { active: false },
    { mode: "observe" },
    { effect: "approve" },
    { restrict: [{ tool: "wiki:list" }] },
  ]),
  ...every("issuers", [
    { allowUnregistered: true },
    { audience: "other" },
    { jwksUri: "https://other.example/jwks" },
    { algorithms: ["ES256", "RS256", "EdDSA"] },
    { types: ["at+jwt", "jwt", "id_token"] },
    { maxTokenAgeSeconds: 100_000 },
    { identityAssertions: true },
    { capabilitiesClaim: "caps" },
  ]),
  ...every("agents", [
    { profile: null },
    { machine: null },
    { stateHeldByServer: false },
    { attributes: { role: "staff" } },
    { limits: { concurrency: 2 } },
    { callbackOrigins: ["https://other.example"] },
    { owners: ["the-editor"] },
    { ownerGroups: ["everybody"] },
    { issuer: "idp", subject: "ada" },
  ]),
  ["a client that is enabled", "clients", CLIENT, { enabled: true }],
  ["a client with another address", "clients", CLIENT, { redirectUris: ["https://other.example/callback"] }],
  ["a key that is enabled", "api-keys", { name: "key", agent: "bot", enabled: false }, { enabled: true }],
  ["a key of another agent", "api-keys", { name: "key", agent: "bot", enabled: false }, { agent: "other" }],
  [
    "a key that ends later",
    "api-keys",
    { name: "key", agent: "bot", enabled: false },
    { expiresAt: "2030-01-01T00:00:00Z" },
  ],
  ["a token that is enabled", "tokens", { name: "robot", role: "auditor", enabled: false }, { enabled: true }],
  ["a token with more rights", "tokens", { name: "robot", role: "auditor", enabled: false }, { role: "admin" }],
  [
    "a person with more rights",
    "users",
    { name: "the-auditor", email: "auditor@example.com", role: "auditor" },
    { role: "editor" },
  ],
  [
    "a webhook of another event",
    "webhooks",
    { name: "hook", url: "https://a.example", events: ["audit.alarm"], active: false },
    { events: ["audit.alarm", "approval.requested"] },
  ],
  [
    "a webhook that is enabled",
    "webhooks",
    { name: "hook", url: "https://a.example", events: ["audit.alarm"], active: false },
    { active: true },
  ],
  ["longer grants of a request policy", "policies", OFFER, { maxHours: 3 }],
  ["other approvers of a request policy", "policies", OFFER, { approvers: ["editor"] }],
  ["a tool more that a request policy offers", "groups", { name: "offered" }, { include: [{ tool: "wiki:list" }] }],
  ["a tool enabled that a request policy offers", "tools", tool("wiki:export", { groups: ["offered"] }), {}],
];

/** Each setting that guards something, weakened alone. */
const WEAKER: Readonly<Record<string, object>> = {
  "approvals.sideEffects": { approvals: { ...STRICT.approvals, sideEffects: false } },
  "approvals.minutes": { approvals: { ...STRICT.approvals, minutes: 6 } },
  "clientSignIn.enabled": { clientSignIn: { ...STRICT.clientSignIn, enabled: true } },
  "clientSignIn.registration": { clientSignIn: { ...STRICT.clientSignIn, registration: true } },
  redact: { redact: ["iban"] },
  "review.changes": { review: { ...STRICT.review, changes: "off" } },
  "review.bypassHours": { review: { ...STRICT.review, bypassHours: 2 } },
};

/** Settings that guard nothing that callers reach; `openStart` is compared by the decisions. */
const OTHER_SETTINGS = ["routing", "cache", "sessionHours", "retention", "openStart"];

function saveSettings(value: object): Promise<unknown> {
  return write(PROGRAM, async (stored) => {
    const after = { name: "settings", value: settingsInput.parse(value) } as const;
    return (await stored.get("settings", "settings")) === null
      ? [{ resource: "settings", action: "create", after }]
      : [{ resource: "settings", action: "update", id: "settings", after }];
  });
}

async function revision(): Promise<number> {
  const [state] = await database.query<{ revision: number }>("select revision from config_state");
  return state?.revision ?? 0;
}

async function ifMatch(table: string, key: string, id: string): Promise<{ "if-match": string }> {
  const [row] = await database.query<{ revision: number }>(`select revision from "${table}" where "${key}" = '${id}'`);
  return { "if-match": `"${row?.revision ?? 0}"` };
}

const make = (resource: ResourceName, body: object, headers = {}) =>
  ask(CREATE, "POST", `/api/admin/${resource}`, { params: { resource }, body, headers });
async function put(resource: ResourceName, body: object): Promise<Got> {
  const { table, id: key } = KINDS[resource];
  const id = String((body as Record<string, unknown>)[key]);
  const headers = await ifMatch(table, key, id);
  return ask(PUT, "PUT", `/api/admin/${resource}/${id}`, { params: { resource, id }, body, headers });
}

/** Expects that a change became a request and saved nothing. */
async function expectHeld(change: () => Promise<Got>): Promise<HeldChange> {
  const before = await revision();
  const answer = await change();
  expect([answer.status, answer.status === 202 ? "" : answer.text]).toEqual([202, ""]);
  expect(await revision()).toBe(before);
  return answer.json as unknown as HeldChange;
}

beforeAll(async () => {
  for (const role of ["admin", "editor", "auditor"] as const) await signIn(role);
  await saveSettings({ ...STRICT, review: { changes: "off" } });
  const saved = await ask(PUT_CONFIG, "PUT", "/api/admin/config", { body: DOCUMENT });
  if (saved.status !== 200) throw new Error(saved.text);
  for (const [resource, body] of [
    ["agents", { name: "other" }],
    ["clients", CLIENT],
    ["api-keys", { name: "key", agent: "bot", enabled: false }],
    ["tokens", { name: "robot", role: "auditor", enabled: false }],
    ["webhooks", { name: "hook", url: "https://a.example", events: ["audit.alarm"], active: false }],
  ] as const) {
    const made = await make(resource, body);
    if (made.status !== 201) throw new Error(made.text);
  }
});
beforeEach(async () => {
  await database.query("delete from request");
  await saveSettings({ ...STRICT, review: { changes: "widening", bypassHours: 1 } });
});

describe("while widening changes are reviewed", () => {
  it.each(WEAKENED)("waits: %s", async (_name, resource, row, weaker) => {
    const { verdict } = await expectHeld(() => put(resource, { ...row, ...weaker }));
    expect(["wider", "unknown"]).toContain(verdict.kind);
  });

  it.each(Object.entries(WEAKER))("waits as wider: the setting %s", async (name, fields) => {
    await saveSettings(STRICT);
    const headers = await ifMatch("settings", "name", "settings");
    const body = { ...STRICT, ...fields };
    const { verdict } = await expectHeld(() => ask(PUT_SETTINGS, "PUT", "/api/admin/settings", { body, headers }));
    expect([verdict.kind, verdict.reasons.map(({ field }) => field)]).toEqual(["wider", [name]]);
  });

  it("every setting is weakened above, or guards nothing", () => {
    const fields = Object.keys(REVIEW_FIELDS["settings"]?.fields ?? {});
    expect(fields.toSorted()).toEqual([...Object.keys(WEAKER), ...OTHER_SETTINGS].toSorted());
  });

  it.each(["wiki:guessed", "wiki:raising"])("a guess that is replaced by less waits: %s", async (id) => {
    const body = { rows: { query: { q: id } }, flow: { raises: [], is: [] } };
    const { verdict } = await expectHeld(() => ask(ANSWER_GUESSES, "POST", "/api/admin/flow-guesses/answer", { body }));
    expect(verdict).toMatchObject({ kind: "wider", reasons: [{ factor: "flow", id }] });
  });
});

it("of two changes that widen only together, one is saved and the other waits, when both are judged at once", async () => {
  const first = new Client({ connectionString: database.url });
  await first.connect();
  onTestFinished(() => first.end());
  // Both wait for the writers' lock, so both begin with the same revision.
  await first.query("begin; select 1 from config_state for update");
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const filled = put("groups", { name: "idle", include: [{ tool: "wiki:list" }] });
  const granted = make("policies", { name: "idle", everyone: true, groups: ["idle"] });
  await vi.waitFor(async () => expect(await database.query(waiting)).toHaveLength(2), { timeout: 20_000 });
  await first.query("commit");
  const answers = await Promise.all([filled, granted]);
  const held = answers.filter(({ status }) => status === 202);
  expect(held.map(({ json }) => json["verdict"])).toEqual([expect.objectContaining({ kind: "wider" })]);
});

it("a judgement that takes too long proves nothing", async () => {
  const inactive = () => make("policies", { name: "quiet", everyone: true, groups: ["staff"], active: false });
  // Long ago, so that the loaded configuration is not out of date by this clock, however young the process is.
  let clock = -1_000_000;
  const spy = vi.spyOn(performance, "now").mockImplementation(() => (clock += 3_000));
  try {
    const { verdict } = await expectHeld(inactive);
    expect(verdict).toMatchObject({ kind: "unknown", reasons: [{ factor: "time", id: "quiet" }] });
  } finally {
    spy.mockRestore();
  }
  expect((await inactive()).status).toBe(201);
});

it("nobody approves what their own token requested", async () => {
  const [admin] = await database.query<{ name: string }>("select email as name from person where name = 'the-admin'");
  const actor: Actor = { kind: "user", name: admin!.name, role: "admin" };
  const { token } = await tokens.create(actor, { name: "mine", role: "admin", expiresAt: null, enabled: true });
  await database.query("update token set enabled = true where name = 'mine'");
  const asked = () =>
    make("policies", { name: "all", everyone: true, groups: ["*"] }, { authorization: `Bearer ${token}`, cookie: "" });
  const { request } = await expectHeld(asked);
  expect(request.asker).toEqual({ kind: "token", name: "mine" });
  const approve = (role: "admin" | "editor") =>
    ask(APPROVE, "POST", `/api/admin/requests/${request.id}/approve`, {
      params: { id: request.id },
      body: { hash: request.hash },
      role,
    });
  expect((await approve("admin")).json).toMatchObject({
    code: "forbidden",
    detail: expect.stringContaining("You made"),
  });
  expect((await approve("editor")).status).toBe(200);
});
