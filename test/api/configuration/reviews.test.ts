import { beforeEach, describe, expect, it } from "vitest";
import { POST as CREATE } from "@/app/api/admin/[resource]/route";
import { DELETE, PUT } from "@/app/api/admin/[resource]/[id]/route";
import { PUT as PUT_CONFIG } from "@/app/api/admin/config/route";
import { PUT as PUT_SETTINGS } from "@/app/api/admin/settings/route";
import { GET as LIST } from "@/app/api/admin/requests/route";
import { GET as READ } from "@/app/api/admin/requests/[id]/route";
import { POST as APPROVE } from "@/app/api/admin/requests/[id]/approve/route";
import { POST as REFUSE } from "@/app/api/admin/requests/[id]/refuse/route";
import { POST as WITHDRAW } from "@/app/api/admin/requests/[id]/withdraw/route";
import type { Handler } from "@/lib/http/route";
import type { HeldChange, RequestDetail, RequestFacts } from "@/lib/contracts/changes/request";
import type { Verdict } from "@/lib/contracts/changes/verdict";
import type { Role } from "@/lib/resources/permissions";
import { policies } from "@/lib/store/config/policies";
import { tokens } from "@/lib/store/people/tokens";
import { bodyOf, openRequest } from "@/lib/store/requests/requests";
import { write, type Actor } from "@/lib/store/save/write";
import { db } from "@/lib/store/db/database";
import { reviewModeOf } from "@/lib/store/save/review-mode";
import { Stored } from "@/lib/store/save/stored";
import { ask, type Got } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { setReview } from "@/test/support/set-review";
import { addPerson, ORIGIN, signIn } from "@/test/support/person";

const database = useDatabase();
const PROGRAM: Actor = { kind: "system", name: "test", role: "admin" };
const TOOL = {
  id: "crm:read",
  description: "Reads a customer.",
  inputSchema: { type: "object" },
  groups: [],
};
const POLICY = {
  name: "support",
  matchers: [{ claim: "department", operator: "equals", value: "support" }],
  groups: ["crm"],
};
const GROUP = { name: "crm", selectors: [{ source: "crm" }] };
const DOCUMENT = {
  apiVersion: "quartermaster/v1",
  sources: [{ name: "crm", kind: "http" }],
  tools: [TOOL],
  groups: [GROUP],
  policies: [POLICY],
};

async function revision(): Promise<number> {
  const [row] = await database.query<{ revision: number }>("select revision from config_state");
  return row?.revision ?? 0;
}

/** Sends a change and expects that it became a request and saved nothing. */
async function held(sent: () => Promise<Got>): Promise<HeldChange> {
  const before = await revision();
  const answer = await sent();
  expect([answer.status, answer.json]).toEqual([
    202,
    { request: expect.objectContaining({ status: "open" }), verdict: expect.any(Object) },
  ]);
  expect(await revision()).toBe(before);
  return answer.json as unknown as HeldChange;
}

const create = (resource: string, body: object, role: Role = "editor") =>
  ask(CREATE, "POST", `/api/admin/${resource}`, { params: { resource }, body, role });
const replace = async (resource: string, id: string, body: object, role: Role = "editor") =>
  ask(PUT, "PUT", `/api/admin/${resource}/${id}`, {
    params: { resource, id },
    body,
    role,
    headers: { "if-match": `"${await versionOf(resource, id)}"` },
  });
const TABLES: Readonly<Record<string, string>> = { policies: "policy", tools: "tool", groups: "tool_group" };
async function versionOf(resource: string, id: string): Promise<number> {
  const key = resource === "tools" ? "id" : "name";
  const [row] = await database.query<{ revision: number }>(
    `select revision from "${TABLES[resource] ?? resource}" where "${key}" = '${id}'`,
  );
  return row?.revision ?? 0;
}

const answer = (handler: Handler, verb: string, id: string, body: object, role: Role = "admin") =>
  ask<RequestDetail & { code: string; detail: string }>(handler, "POST", `/api/admin/requests/${id}/${verb}`, {
    params: { id },
    body,
    role,
  });
const approve = ({ request }: HeldChange, role: Role = "admin") =>
  answer(APPROVE, "approve", request.id, { hash: request.hash, reason: "fine" }, role);

const widened = { ...POLICY, matchers: [], everyone: true };

beforeEach(async () => {
  await setReview("off");
  await database.query("delete from person where name = 'olga'");
  await database.query("update person set enabled = true");
  await signIn("admin");
  await signIn("editor");
  const sent = await ask(PUT_CONFIG, "PUT", "/api/admin/config", { body: DOCUMENT });
  if (sent.status !== 200) throw new Error(sent.text);
  await database.query("delete from request");
  await setReview("widening");
});

describe("while reviews are on", () => {
  it("a narrowing is saved at once, a widening becomes a request with its witness", async () => {
    const narrower = { ...POLICY, matchers: [...POLICY.matchers, { claim: "level", operator: "exists" }] };
    expect((await replace("policies", "support", narrower)).status).toBe(200);
    const { request, verdict } = await held(() => replace("policies", "support", widened));
    expect(verdict.kind).toBe("wider");
    expect(verdict.reasons[0]).toMatchObject({
      resource: "policies",
      id: "support",
      witness: { gains: "tool", tool: "crm:read" },
    });
    const read = await ask<RequestDetail>(READ, "GET", `/api/admin/requests/${request.id}`, {
      params: { id: request.id },
    });
    expect(read.json).toMatchObject({
      sentence: expect.stringContaining("crm:read"),
      changes: [{ resource: "policies", id: "support", action: "update", after: { everyone: true } }],
      own: false,
      mayAnswer: true,
    });
  });

  it("an approved request is saved once, by its requester, and the revision names both", async () => {
    const change = await held(() => replace("policies", "support", widened));
    const answers = await Promise.all([approve(change), approve(change)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await policies.get("support")).toMatchObject({ everyone: true });
    const [saved] = await database.query<object>(
      "select number, actor, note from revision order by number desc limit 1",
    );
    expect(saved).toMatchObject({
      actor: "editor@example.com",
      note: `approved by admin@example.com (${change.request.id})`,
    });
    const [stored] = await database.query("select status, revision from request");
    expect(stored).toEqual({ status: "applied", revision: await revision() });
  });

  it("nobody answers their own request, and no token answers any", async () => {
    const change = await held(() => replace("policies", "support", widened, "admin"));
    expect((await approve(change)).json).toMatchObject({
      code: "forbidden",
      detail: expect.stringContaining("You made"),
    });
    const made = await tokens.create(PROGRAM, {
      name: `t${Date.now()}`,
      role: "admin",
      expiresAt: null,
      enabled: true,
    });
    const headers = { authorization: `Bearer ${made.token}`, "content-type": "application/json" };
    const { id, hash } = change.request;
    const sent = await APPROVE(
      new Request(`${ORIGIN}/api/admin/requests/${id}/approve`, {
        method: "POST",
        headers,
        body: JSON.stringify({ hash }),
      }),
      { params: Promise.resolve({ id }) },
    );
    expect([sent.status, await sent.json()]).toEqual([
      403,
      expect.objectContaining({ detail: expect.stringContaining("No token") }),
    ]);
    expect((await answer(WITHDRAW, "withdraw", id, {})).json).toMatchObject({ status: "withdrawn" });
  });

  it("an approval needs the hash, an open request, and the permission of both at that moment", async () => {
    const change = await held(() => replace("policies", "support", widened));
    const other = { hash: "0".repeat(64) };
    expect((await answer(APPROVE, "approve", change.request.id, other)).status).toBe(409);
    expect((await approve(change, "auditor")).status).toBe(403);
    // The asker may no longer write policies.
    await database.query(`update person set role = 'auditor' where email = 'editor@example.com'`);
    expect((await approve(change)).status).toBe(403);
    await database.query(`update person set role = 'editor', enabled = false where email = 'editor@example.com'`);
    expect((await approve(change)).json).toMatchObject({ code: "conflict" });
    await database.query(`update person set enabled = true where email = 'editor@example.com'`);
    expect((await answer(REFUSE, "refuse", change.request.id, { reason: "no" })).json).toMatchObject({
      status: "refused",
      decidedBy: "admin@example.com",
      decidedReason: "no",
    });
    expect((await approve(change)).status).toBe(409);
    expect(await policies.get("support")).toMatchObject({ everyone: false });
  });

  it("a token's request is approved with the rights that the token has at that moment", async () => {
    const olga = await addPerson({ email: "olga@example.com", name: "olga", role: "admin" });
    const owner: Actor = { kind: "user", name: olga.email, role: "admin" };
    const name = `t${Date.now()}`;
    const { token } = await tokens.create(owner, { name, role: "admin", expiresAt: null, enabled: true });
    await database.query(`update token set enabled = true where name = '${name}'`);
    const change = await held(async () =>
      ask(PUT, "PUT", "/api/admin/policies/support", {
        params: { resource: "policies", id: "support" },
        body: widened,
        headers: {
          authorization: `Bearer ${token}`,
          cookie: "",
          "if-match": `"${await versionOf("policies", "support")}"`,
        },
      }),
    );
    expect(change.request.asker).toEqual({ kind: "token", name });
    const approvedWhile = async (changed: string, restored: string): Promise<string> => {
      await database.query(changed);
      const { status, json } = await approve(change);
      await database.query(restored);
      return `${status} ${json.detail ?? ""}`;
    };
    const ofOlga = (role: Role) => `update person set role = '${role}' where name = 'olga'`;
    const until = (time: string) => `update token set "expiresAt" = ${time} where name = '${name}'`;
    const ownedBy = (person: string) =>
      `update token set "ownerId" = (select id from person where name = '${person}') where name = '${name}'`;
    expect({
      demoted: await approvedWhile(ofOlga("auditor"), ofOlga("admin")),
      expired: await approvedWhile(until("now() - interval '1 day'"), until("now() + interval '1 day'")),
      "another person's of the same name": await approvedWhile(ownedBy("the-admin"), ownedBy("olga")),
      "as it was": await approvedWhile("select", "select"),
    }).toEqual({
      demoted: expect.stringMatching(/^403 The role `auditor` may not change policies/),
      expired: expect.stringMatching(/^409 .* may no longer sign in/),
      "another person's of the same name": expect.stringMatching(/^409 .* may no longer sign in/),
      "as it was": "200 ",
    });
  });

  it("a request whose row has changed since is outdated", async () => {
    const change = await held(() => replace("policies", "support", widened));
    expect((await replace("policies", "support", { ...POLICY, description: "words" })).status).toBe(200);
    expect((await approve(change)).json).toMatchObject({
      code: "conflict",
      detail: expect.stringContaining("outdated"),
    });
    expect(await database.query("select status from request")).toEqual([{ status: "outdated" }]);
  });

  it("a request whose new name is taken by then is outdated: of a new row, and of a renamed one", async () => {
    const twin = { ...widened, name: "twin" };
    const made = [
      await held(() => create("policies", twin)),
      await held(() => create("policies", twin)),
      await held(() => replace("policies", "support", twin)),
    ];
    const answers = [];
    for (const change of made) answers.push((await approve(change)).status);
    expect(answers).toEqual([200, 409, 409]);
    const statuses = await database.query<{ status: string }>("select status from request order by at, id");
    expect(statuses.map(({ status }) => status)).toEqual(["applied", "outdated", "outdated"]);
  });

  it("a request that would widen more than it says is not applied, and stays open", async () => {
    const change = await held(() => replace("policies", "support", widened));
    const more = { ...DOCUMENT, sources: [{ name: "crm", kind: "http" }], tools: [TOOL, { ...TOOL, id: "crm:wipe" }] };
    await setReview("off");
    expect((await ask(PUT_CONFIG, "PUT", "/api/admin/config", { body: more })).status).toBe(200);
    await setReview("widening");
    const refused = await approve(change);
    expect(refused.json).toMatchObject({ code: "conflict", detail: expect.stringContaining("widen more") });
    expect(await database.query("select status from request")).toEqual([{ status: "open" }]);
    await ask(DELETE, "DELETE", "/api/admin/tools/crm%3Awipe", { params: { resource: "tools", id: "crm:wipe" } });
  });

  it("the mode all holds every change, except those that never wait", async () => {
    await setReview("all");
    await held(() => replace("policies", "support", { ...POLICY, description: "words" }));
    expect((await replace("tools", "crm:read", { ...TOOL, enabled: false })).status).toBe(200);
    const key = await create("api-keys", { name: `k${Date.now()}`, agent: "bot" }, "admin");
    expect(key.status).not.toBe(202);
    await setReview("widening");
    await held(() => replace("tools", "crm:read", TOOL));
  });

  it("a stored mode that this version does not know holds every change", async () => {
    await database.query(`update settings set value = jsonb_set(value, '{review,changes}', '"each"')`);
    expect(await reviewModeOf(new Stored(db()))).toBe("all");
    await database.query(`update settings set value = value - 'review'`);
    expect(await reviewModeOf(new Stored(db()))).toBe("off");
  });

  /** Adds a person of the OpenID provider, and deletes them. */
  async function removeOpenIdPerson(enabled: boolean): Promise<Got> {
    await addPerson({ email: "olga@example.com", name: "olga", role: "editor" });
    await database.query(
      `update person set issuer = 'https://idp.example', subject = 'olga', enabled = $1 where name = 'olga'`,
      [enabled],
    );
    return ask(DELETE, "DELETE", "/api/admin/users/olga", { params: { resource: "users", id: "olga" } });
  }

  it.each(["all", "widening"] as const)(
    "under %s, the deletion of a disabled OpenID person waits: their next sign-in would create them enabled",
    async (mode) => {
      await setReview(mode);
      const { verdict } = await held(() => removeOpenIdPerson(false));
      expect(verdict).toMatchObject({ kind: "unknown", reasons: [{ factor: "people" }] });
    },
  );

  it("the deletion of an enabled OpenID person never waits", async () => {
    await setReview("all");
    expect((await removeOpenIdPerson(true)).status).toBe(204);
  });

  it("the console saves under reviews, and the revision says so", async () => {
    await write(PROGRAM, () => [{ resource: "policies", action: "delete", id: "support" }], { note: "by hand" });
    const [saved] = await database.query<object>("select note from revision order by number desc limit 1");
    expect(saved).toEqual({ note: "by hand (not reviewed)" });
  });

  it("weakening the setting waits too", async () => {
    const [row] = await database.query<{ revision: number }>("select revision from settings");
    const { request } = await held(() =>
      ask(PUT_SETTINGS, "PUT", "/api/admin/settings", { body: {}, headers: { "if-match": `"${row?.revision}"` } }),
    );
    expect(request.target).toBe("settings/settings");
  });
});

it("reviews need two people who may approve, and keep them", async () => {
  await setReview("off");
  await database.query(`update person set enabled = false where role <> 'admin'`);
  const [row] = await database.query<{ revision: number }>("select revision from settings");
  const on = () =>
    ask(PUT_SETTINGS, "PUT", "/api/admin/settings", {
      body: { review: { changes: "widening" } },
      headers: { "if-match": `"${row?.revision}"` },
    });
  expect((await on()).json).toMatchObject({ code: "conflict", detail: expect.stringContaining("two enabled people") });
  await database.query(`update person set enabled = true`);
  expect((await on()).status).toBe(200);
  const [editor] = await database.query<{ name: string; revision: number }>(
    "select name, revision from person where role = 'editor'",
  );
  const removed = await ask(DELETE, "DELETE", `/api/admin/users/${editor?.name}`, {
    params: { resource: "users", id: String(editor?.name) },
  });
  expect(removed.json).toMatchObject({ code: "conflict", detail: expect.stringContaining("two enabled people") });
});

it("a change that takes no reviewer away is saved while only one is left, as after a demotion by the OpenID provider", async () => {
  await addPerson({ email: "olga@example.com", name: "olga", role: "auditor" });
  await database.query(`update person set enabled = false where role = 'editor'`);
  const [row] = await database.query<{ revision: number }>("select revision from settings");
  const settings = await ask(PUT_SETTINGS, "PUT", "/api/admin/settings", {
    body: { review: { changes: "widening" }, sessionHours: 2 },
    headers: { "if-match": `"${row?.revision}"` },
  });
  expect([settings.status, settings.json]).toEqual([200, expect.objectContaining({ sessionHours: 2 })]);
  const params = { resource: "users", id: "olga" };
  expect((await ask(DELETE, "DELETE", "/api/admin/users/olga", { params })).status).toBe(204);
  const { json } = await ask(DELETE, "DELETE", "/api/admin/users/the-admin", {
    params: { resource: "users", id: "the-admin" },
  });
  expect(json).toMatchObject({ code: "conflict" });
});

it("lists requests without rows that the reader may not see", async () => {
  // A name that no hexadecimal digest contains.
  const made = await create("users", { name: "ursula", email: "ursula@example.com", role: "editor" }, "admin");
  // A new credential is created disabled: its secret is shown only once.
  expect([made.status, made.json]).toEqual([201, expect.objectContaining({ enabled: false })]);
  const [row] = await database.query<{ revision: number }>("select revision from person where name = 'ursula'");
  await held(() =>
    ask(PUT, "PUT", "/api/admin/users/ursula", {
      params: { resource: "users", id: "ursula" },
      body: { name: "ursula", email: "ursula@example.com", role: "editor", enabled: true },
      headers: { "if-match": `"${row?.revision}"` },
    }),
  );
  const seen = async (role: Role, query = "") => (await ask(LIST, "GET", `/api/admin/requests${query}`, { role })).json;
  expect((await seen("admin")).items[0]).toMatchObject({ target: "users/ursula" });
  expect(JSON.stringify(await seen("editor"))).not.toContain("ursula");
  // Nor does a search or a filter say which names they have.
  for (const query of ["?q=ursula", "?q=Users/", "?target=users/ursula"]) {
    expect((await seen("admin", query)).items).toHaveLength(1);
    expect(await seen("editor", query)).toMatchObject({ items: [], total: 0 });
  }
  expect((await seen("editor", `?q=${(await seen("editor")).items[0]?.id}`)).items).toHaveLength(1);
});

describe("a group that grows for several policies", () => {
  const tools = ["read", "send", "refund"].map((name) => ({ ...TOOL, id: `crm:${name}` }));
  // One of its policies has shown a new member before, by another group. With twelve, some have no witness.
  const policiesOf = (count: number) => [
    POLICY,
    ...Array.from({ length: count - 1 }, (_, number) => ({
      ...POLICY,
      name: `support-${number}`,
      matchers: [{ claim: "department", operator: "equals", value: `team-${number}` }],
      groups: ["crm", "send"],
    })),
  ];

  it.each([2, 12])("is approved as requested, for %i policies", async (count) => {
    await setReview("off");
    const groups = [
      { name: "crm", include: [{ tool: "crm:read" }] },
      { name: "send", include: [{ tool: "crm:send" }] },
    ];
    const body = { ...DOCUMENT, tools, groups, policies: policiesOf(count) };
    expect((await ask(PUT_CONFIG, "PUT", "/api/admin/config", { body })).status).toBe(200);
    await setReview("widening");
    const include = tools.map(({ id }) => ({ tool: id }));
    const change = await held(() => replace("groups", "crm", { name: "crm", include }));
    expect(change.verdict.kind).toBe("wider");
    expect(await approve(change)).toMatchObject({ status: 200, json: { status: "applied" } });
  });
});

describe("an approval compares what a verdict does not name", () => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => `crm:t${String(at).padStart(2, "0")}`);
  const big = (count: number) => ({ name: "crm", include: ids(count).map((tool) => ({ tool })) });

  /** A request that shows 25 tools to everybody, and then a group with one tool more. */
  async function outgrown(): Promise<HeldChange> {
    await setReview("off");
    const tools = ids(26).map((id) => ({ ...TOOL, id }));
    const body = { ...DOCUMENT, tools, groups: [big(25)], policies: [] };
    expect((await ask(PUT_CONFIG, "PUT", "/api/admin/config", { body })).status).toBe(200);
    await setReview("widening");
    const change = await held(() => create("policies", { name: "all", everyone: true, groups: ["crm"] }));
    expect(change.verdict.reasons).toMatchObject([{ more: 5 }]);
    expect((await replace("groups", "crm", big(26))).status).toBe(200);
    return change;
  }

  it("tools beyond the named ones by their number", async () => {
    const refused = await approve(await outgrown());
    expect([refused.status, refused.json.code]).toEqual([409, "conflict"]);
  });

  /** The same request with other facts, as another version or a slower judgement opens it. */
  async function reopened(change: HeldChange, toVerdict: (verdict: Verdict) => Verdict): Promise<HeldChange> {
    const asked = (await db().request.findUnique({ where: { id: change.request.id } }))!;
    await database.query("delete from request");
    const { reason, target, basis, closesAt: expiresAt, personId } = asked;
    const stored = asked.facts as Extract<RequestFacts, { kind: "change" }>;
    const facts = { ...stored, verdict: toVerdict(stored.verdict) };
    const actor = { kind: "user", name: asked.asker, role: "editor" } as const;
    const request = { asker: { actor, personId }, reason, target, basis, facts, body: bodyOf(asked)!, secrets: null };
    const { id, hash } = await db().$transaction((tx) => openRequest(tx, { ...request, expiresAt }, new Date()));
    return { ...change, request: { ...change.request, id, hash } };
  }

  it("not for a request of an earlier version, which states no numbers", async () => {
    const former = await reopened(await outgrown(), ({ kind, reasons }) => ({
      kind,
      reasons: reasons.map(({ more: _, ...reason }) => reason),
    }));
    expect((await approve(former)).status).toBe(200);
  });

  it("a request that ran out of time, and so names no reasons, is applied unless a widening is proven by then", async () => {
    const toUnjudged = ({ reasons: [first] }: Verdict): Verdict => ({
      kind: "unknown",
      reasons: [{ ...first!, kind: "unknown", factor: "time", field: null, tools: [], witness: null }],
    });
    const source = { name: "another", kind: "http", url: "https://new.example.com" };
    const unproven = await held(() => create("sources", source));
    expect(unproven.verdict.kind).toBe("unknown");
    expect((await approve(await reopened(unproven, toUnjudged))).json).toMatchObject({ status: "applied" });
    const refused = await approve(
      await reopened(await held(() => replace("policies", "support", widened)), toUnjudged),
    );
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining("make the change again")]);
  });
});
