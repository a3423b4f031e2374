import { beforeEach, describe, expect, it } from "vitest";
import { PUT as PUT_CONFIG } from "@/app/api/admin/config/route";
import { POST as CREATE } from "@/app/api/admin/[resource]/route";
import { DELETE, PUT } from "@/app/api/admin/[resource]/[id]/route";
import { PUT as PUT_SETTINGS } from "@/app/api/admin/settings/route";
import { POST as APPROVE } from "@/app/api/admin/requests/[id]/approve/route";
import { POST as BYPASS } from "@/app/api/admin/requests/[id]/bypass/route";
import { POST as RESTORE } from "@/app/api/admin/revisions/[number]/restore/route";
import { POST as CONFIRM } from "@/app/api/admin/requests/[id]/confirm/route";
import { POST as REVERT } from "@/app/api/admin/requests/[id]/revert/route";
import { GET as READ } from "@/app/api/admin/requests/[id]/route";
import { GET as readMe } from "@/app/api/admin/me/route";
import { readAttention } from "@/lib/admin/attention";
import { encodeSession, sessionClaims, sessionCookieName } from "@/lib/auth/people/session";
import type { HeldChange, RequestDetail } from "@/lib/contracts/changes/request";
import type { Me } from "@/lib/contracts/people/me";
import type { AppError } from "@/lib/errors";
import type { Handler } from "@/lib/http/route";
import { agentInput } from "@/lib/resources/agent";
import { clientInput } from "@/lib/resources/client";
import { issuerInput } from "@/lib/resources/issuer";
import { policyInput } from "@/lib/resources/policy";
import { settingsInput, type SettingsInput } from "@/lib/resources/settings";
import type { Role } from "@/lib/resources/permissions";
import { pause, resume } from "@/lib/store/calls/pauses";
import { policies } from "@/lib/store/config/policies";
import { findUserByEmail } from "@/lib/store/config/users";
import { toValue } from "@/lib/store/config/tables";
import { saveConnection } from "@/lib/store/oauth/connections";
import { tokens } from "@/lib/store/people/tokens";
import { revertUnconfirmed } from "@/lib/store/requests/end-bypass";
import { write, type Actor, type Change } from "@/lib/store/save/write";
import { ask, type Got } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { addPerson, ORIGIN, signIn, cookieOf } from "@/test/support/person";

const database = useDatabase();
const PROGRAM: Actor = { kind: "system", name: "test", role: "admin" };
const HOUR_MS = 3_600_000;
const DOCUMENT = {
  apiVersion: "quartermaster/v1",
  sources: [{ name: "crm", kind: "http" }],
  tools: [{ id: "crm:read", description: "Reads a customer.", inputSchema: { type: "object" }, groups: [] }],
  groups: [{ name: "crm", selectors: [{ source: "crm" }] }],
  policies: [
    {
      name: "support",
      matchers: [{ claim: "department", operator: "equals", value: "support" }],
      groups: ["crm"],
    },
  ],
};
const [SUPPORT] = DOCUMENT.policies;
const WIDENED = { ...SUPPORT, matchers: [], everyone: true };

function review(settings: SettingsInput["review"]): Promise<unknown> {
  const value = settingsInput.parse({ review: settings });
  return write(PROGRAM, async (stored) => {
    const after = { name: "settings", value } as const;
    return (await stored.get("settings", "settings")) === null
      ? [{ resource: "settings", action: "create", after }]
      : [{ resource: "settings", action: "update", id: "settings", after }];
  });
}

type Answered = Got<RequestDetail & { code: string; detail: string }>;

const post = (handler: Handler, verb: string, id: string, body: object, sent: { role?: Role; cookie?: string } = {}) =>
  ask<RequestDetail & { code: string; detail: string }>(handler, "POST", `/api/admin/requests/${id}/${verb}`, {
    params: { id },
    body,
    ...(sent.role !== undefined && { role: sent.role }),
    ...(sent.cookie !== undefined && { headers: { cookie: sent.cookie } }),
  });

async function replace(resource: string, id: string, body: object, role: Role = "admin"): Promise<Got> {
  const [row] = await database.query<{ revision: number }>(
    `select revision from "${{ agents: "agent", policies: "policy", groups: "tool_group" }[resource] ?? resource}" where "name" = '${id}'`,
  );
  const headers = { "if-match": `"${row?.revision}"` };
  return ask(PUT, "PUT", `/api/admin/${resource}/${id}`, { params: { resource, id }, body, role, headers });
}

const create = (resource: string, body: object, role: Role = "admin") =>
  ask(CREATE, "POST", `/api/admin/${resource}`, { params: { resource }, body, role });

async function held(answer: Got): Promise<HeldChange["request"]> {
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  return (answer.json as unknown as HeldChange).request;
}

const bypass = ({ id, hash }: { id: string; hash: string }, sent: { role?: Role; cookie?: string } = {}) =>
  post(BYPASS, "bypass", id, { hash, reason: "Orders are lost." }, sent);

/** A widening of the policy, applied without review by the admin. */
async function bypassed(): Promise<RequestDetail> {
  const answer = await bypass(await held(await replace("policies", "support", WIDENED)));
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json;
}

const after = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
const isWide = async () => (await policies.get("support"))?.everyone;

async function secondAdmin(): Promise<string> {
  const email = "second@example.com";
  const person = (await findUserByEmail(email)) ?? (await addPerson({ email, name: "second", role: "admin" }));
  return cookieOf(person);
}

beforeEach(async () => {
  await review({ changes: "off", bypassHours: 4 });
  await signIn("admin");
  await signIn("editor");
  const sent = await ask(PUT_CONFIG, "PUT", "/api/admin/config", { body: DOCUMENT });
  if (sent.status !== 200) throw new Error(sent.text);
  await database.query("delete from request");
  await database.query("delete from event");
  await review({ changes: "widening", bypassHours: 4 });
});

describe("a change without review", () => {
  it("is saved at once with a reason, announced, and reverted after four hours", async () => {
    const request = await bypassed();
    expect(request).toMatchObject({
      status: "bypassed",
      bypass: { by: "admin@example.com", reason: "Orders are lost." },
      mayConfirm: false,
    });
    expect(Date.parse(request.closesAt) - Date.parse(request.bypass!.at)).toBe(4 * HOUR_MS);
    expect(await isWide()).toBe(true);
    expect(await database.query("select type, path, data->>'by' as by from event")).toEqual([
      { type: "change.bypassed", path: `/admin/requests/${request.id}`, by: "admin@example.com" },
    ]);
    const named = async () => (await readAttention("editor", Date.now())).unconfirmed?.map(({ id }) => id);
    await revertUnconfirmed(after(3.9));
    expect([await isWide(), await named()]).toEqual([true, [request.id]]);
    await revertUnconfirmed(after(4.1));
    expect(await named()).toEqual([]);
    expect(await policies.get("support")).toMatchObject({ everyone: false, matchers: SUPPORT!.matchers });
    expect(await database.query('select status, "decidedBy" from request')).toEqual([
      { status: "reverted", decidedBy: "unconfirmed changes" },
    ]);
    const [saved] = await database.query<object>("select note from revision order by number desc limit 1");
    expect(saved).toEqual({ note: `reverted the change without review (${request.id})` });
    const actions = await database.query<{ action: string }>(
      `select action from audit_event where target = '${request.id}' order by id`,
    );
    expect(actions.map(({ action }) => action)).toEqual(["requests.opened", "requests.bypassed", "requests.reverted"]);
  });

  it("brings back a row of the name `new`, which an older version saved, as an approval does", async () => {
    const row = { ...WIDENED, name: "new" };
    const given = { review: "exempt" } as const;
    const { revision } = await write(
      PROGRAM,
      () => [{ resource: "policies", action: "create", after: policyInput.parse(row) }],
      given,
    );
    const remove = () => write(PROGRAM, () => [{ resource: "policies", action: "delete", id: "new" }], given);
    const restore = async () =>
      held(
        await ask(RESTORE, "POST", `/api/admin/revisions/${revision}/restore`, { params: { number: `${revision}` } }),
      );
    await remove();
    const { id, hash } = await restore();
    const approved = await post(APPROVE, "approve", id, { hash }, { cookie: await secondAdmin() });
    expect([approved.status, approved.text]).toEqual([200, expect.any(String)]);
    await remove();
    expect(await bypass(await restore())).toMatchObject({ status: 200 });
    expect(await policies.get("new")).toMatchObject({ everyone: true });
    await remove();
  });

  it("is refused for a form that saving refuses today: an older version opened the request", async () => {
    const matchers = [{ claim: "department", operator: "in" as const, value: ["support", ""], ignoreCase: false }];
    const row = { ...policyInput.parse({ ...SUPPORT, name: "old" }), matchers };
    const actor: Actor = { kind: "user", name: "editor@example.com", role: "editor" };
    const asked = await write(actor, () => [{ resource: "policies", action: "create", after: row }], {
      review: "request",
      takesForms: true,
    }).catch((error: unknown) => error);
    const { id, hash } = (asked as AppError).extra["request"] as HeldChange["request"];
    expect(await bypass({ id, hash })).toMatchObject({
      status: 400,
      json: { errors: [{ path: "policies[old].matchers[0].value" }] },
    });
    expect(await database.query("select 1 from policy where name = 'old'")).toEqual([]);
  });

  it("is neither reverted early nor twice when the clock goes back by an hour", async () => {
    const request = await bypassed();
    const revisions = async () => (await database.query("select from revision")).length;
    const before = await revisions();
    for (const hours of [3.9, 2.9]) await revertUnconfirmed(after(hours));
    expect([await isWide(), await revisions()]).toEqual([true, before]);
    await revertUnconfirmed(after(4.1));
    for (const hours of [3.1, 4.2]) await revertUnconfirmed(after(hours));
    expect([await isWide(), await revisions()]).toEqual([false, before + 1]);
    expect(await database.query("select status from request")).toEqual([{ status: "reverted" }]);
    expect(request.status).toBe("bypassed");
  });

  it("stays when a second person confirms it, and only then", async () => {
    const { id, hash } = await bypassed();
    const confirm = (sent: { role?: Role; cookie?: string }) => post(CONFIRM, "confirm", id, { hash }, sent);
    expect((await confirm({})).status).toBe(403);
    expect((await post(CONFIRM, "confirm", id, { hash: "0".repeat(64) }, { role: "editor" })).status).toBe(409);
    expect((await confirm({ role: "auditor" })).status).toBe(403);
    expect((await confirm({ role: "editor" })).json).toMatchObject({
      status: "applied",
      decidedBy: "editor@example.com",
    });
    await revertUnconfirmed(after(5));
    expect(await isWide()).toBe(true);
    expect((await confirm({ role: "editor" })).status).toBe(409);
  });

  it("leaves its policy switched off when somebody switched it off since", async () => {
    await bypassed();
    expect((await replace("policies", "support", { ...WIDENED, active: false })).status).toBe(200);
    await revertUnconfirmed(after(5));
    expect(await policies.get("support")).toMatchObject({ everyone: false, active: false });
  });

  it.each([
    ["a person", false],
    ["a sync, whose drift nobody has decided,", true],
  ])("gets its guard back in time, and stays retired, when %s retired its tool since", async (_who, hasDrift) => {
    const save = (change: object, ...more: readonly object[]) =>
      write(PROGRAM, async (stored) => {
        const tool = { ...toValue("tools", (await stored.get("tools", "crm:read"))!), ...change };
        return [{ resource: "tools", action: "update", id: "crm:read", after: tool }, ...more] as Change[];
      });
    await save({ requiresApproval: true });
    const [row] = await database.query<{ revision: number }>("select revision from tool");
    const sent = { params: { resource: "tools", id: "crm:read" }, headers: { "if-match": `"${row?.revision}"` } };
    const request = await held(
      await ask(PUT, "PUT", "/api/admin/tools/crm%3Aread", { ...sent, body: DOCUMENT.tools[0]! }),
    );
    expect((await bypass(request)).status).toBe(200);
    const since = new Date().toISOString();
    const found = { id: "crm:read", source: "crm", kind: "removed", severity: "low", since, proposed: null };
    const drift = { resource: "drift", action: "create", after: { ...found, heldByHand: false, rejectedBy: null } };
    await save({ status: "deprecated" }, ...(hasDrift ? [drift] : []));
    await revertUnconfirmed(after(5));
    const [answered] = await database.query("select status from request");
    const [restored] = await database.query('select status, "requiresApproval" from tool');
    expect([answered, restored]).toEqual([{ status: "reverted" }, { status: "deprecated", requiresApproval: true }]);
    await database.query("delete from drift");
    await save({ status: "active", requiresApproval: false });
  });

  it("is reverted in time although an earlier one is in neither request nor history, and the job fails", async () => {
    const unreadable = await bypassed();
    const made = await held(await create("policies", { ...WIDENED, name: "emergency" }));
    expect((await bypass(made)).status).toBe(200);
    // A body is sealed for its request: the other one's cannot be opened.
    await database.query(
      `update request set body = (select body from request where id = '${made.id}') where id = '${unreadable.id}'`,
    );
    // Only a database administrator can do this.
    await database.query("set session_replication_role = replica");
    await database.query(
      `delete from change where revision = (select revision from request where id = '${unreadable.id}')`,
    );
    await database.query("set session_replication_role = origin");
    const failure: unknown = await revertUnconfirmed(after(5)).catch((error: unknown) => error);
    const statuses = await database.query<{ id: string; status: string }>("select id, status from request order by at");
    expect(statuses).toEqual([
      { id: unreadable.id, status: "bypassed" },
      { id: made.id, status: "reverted" },
    ]);
    expect(await database.query("select name from policy")).toEqual([{ name: "support" }]);
    expect(String(failure)).toContain(unreadable.id);
  });

  it("that no key opens any more holds up no other change, proves nothing, and is reverted by its history", async () => {
    const { id, hash } = await bypassed();
    await database.query(`update request set body = 'sealed under a lost key' where id = '${id}'`);
    const narrow = { ...SUPPORT, name: "narrow", effect: "deny" };
    expect((await create("policies", narrow)).status).toBe(201);
    await held(await create("policies", { ...WIDENED, name: "copy" }));
    const cookie = await secondAdmin();
    expect(
      (await ask<RequestDetail>(READ, "GET", `/api/admin/requests/${id}`, { params: { id }, headers: { cookie } }))
        .json,
    ).toMatchObject({ mayConfirm: false });
    const confirmed = await post(CONFIRM, "confirm", id, { hash, reason: "sure" }, { cookie });
    expect([confirmed.status, await isWide()]).toEqual([409, true]);
    await revertUnconfirmed(after(5));
    expect(await policies.get("support")).toMatchObject({ everyone: false, matchers: SUPPORT!.matchers });
    expect(await database.query(`select status from request where id = '${id}'`)).toEqual([{ status: "reverted" }]);
  });

  it("that no key opens any more revives neither a connection nor a pause that ended with or after it", async () => {
    const issuer = {
      issuer: "https://partner.example",
      audience: "quartermaster",
      jwksUri: "https://partner.example/keys",
    };
    const partner = issuerInput.parse({ name: "partner", algorithms: ["ES256"], ...issuer });
    const bot = agentInput.parse({ name: "bot", issuer: "partner", subject: "bot-1" });
    const plugin = clientInput.parse({ name: "plugin", redirectUris: ["http://127.0.0.1/callback"] });
    await write(PROGRAM, () => [
      { resource: "issuers", action: "create", after: partner },
      { resource: "agents", action: "create", after: bot },
      { resource: "clients", action: "create", after: plugin },
    ]);
    const { id: person } = (await findUserByEmail("admin@example.com"))!;
    await saveConnection(PROGRAM, { person, client: "plugin", clientName: "", agent: "bot", scopes: ["tools"] });
    await pause(PROGRAM, { scope: "agent", name: "bot", reason: "an incident" });
    await review({ changes: "all", bypassHours: 4 });
    const params = { resource: "clients", id: "plugin" };
    const requests = [
      await held(await ask(DELETE, "DELETE", "/api/admin/clients/plugin", { params })),
      await held(await replace("agents", "bot", { name: "robot", issuer: "partner", subject: "bot-1" })),
    ];
    for (const request of requests) expect((await bypass(request)).status).toBe(200);
    await resume(PROGRAM, { scope: "agent", name: "robot" });
    await database.query("update request set body = 'sealed under a lost key'");
    await revertUnconfirmed(after(5));
    expect(await database.query("select name from agent union select name from client order by name")).toEqual([
      { name: "bot" },
      { name: "plugin" },
    ]);
    expect(await database.query("select id from connection union all select name from pause")).toEqual([]);
  });

  it("is confirmed neither by its requester nor by the admin who applied it", async () => {
    const request = await held(await replace("policies", "support", WIDENED, "editor"));
    expect((await bypass(request)).status).toBe(200);
    const confirm = (sent: { role?: Role; cookie?: string }) =>
      post(CONFIRM, "confirm", request.id, { hash: request.hash }, sent);
    expect((await confirm({ role: "editor" })).status).toBe(403);
    expect((await confirm({ role: "admin" })).status).toBe(403);
    expect((await confirm({ cookie: await secondAdmin() })).status).toBe(200);
  });

  it("is offered for confirmation only to somebody who may change its rows", async () => {
    const issuer = { name: "corp", issuer: "https://corp.example", audience: "quartermaster", algorithms: ["ES256"] };
    const request = await held(await create("issuers", { ...issuer, jwksUri: "https://corp.example/keys" }));
    expect((await bypass(request)).status).toBe(200);
    const read = async (sent: { role?: Role; headers?: { cookie: string } }) =>
      (
        await ask<RequestDetail>(READ, "GET", `/api/admin/requests/${request.id}`, {
          params: { id: request.id },
          ...sent,
        })
      ).json;
    expect(await read({ role: "editor" })).toMatchObject({ status: "bypassed", mayConfirm: false });
    const refused = await post(CONFIRM, "confirm", request.id, { hash: request.hash }, { role: "editor" });
    expect(refused.json).toMatchObject({ code: "forbidden", detail: expect.stringContaining("change issuers") });
    expect(await read({ headers: { cookie: await secondAdmin() } })).toMatchObject({ mayConfirm: true });
  });

  it("is reverted at once by anybody who may approve changes, and the time of the setting counts", async () => {
    await review({ changes: "widening", bypassHours: 72 });
    const { id, closesAt, bypass: applied } = await bypassed();
    expect(Date.parse(closesAt) - Date.parse(applied!.at)).toBe(72 * HOUR_MS);
    expect((await post(REVERT, "revert", id, { reason: "not needed" })).json).toMatchObject({ status: "reverted" });
    expect(await isWide()).toBe(false);
    expect((await post(REVERT, "revert", id, {})).status).toBe(409);
  });

  it("needs an admin, a sign-in of the last ten minutes and a reason, and no token can apply one", async () => {
    const request = await held(await replace("policies", "support", WIDENED));
    expect((await bypass(request, { role: "editor" })).status).toBe(403);
    expect((await post(BYPASS, "bypass", request.id, { hash: request.hash, reason: " " })).status).toBe(400);
    const admin = (await findUserByEmail("admin@example.com"))!;
    const startedAt = Math.floor(Date.now() / 1000) - 11 * 60;
    const old = await encodeSession({ ...sessionClaims(admin), startedAt });
    const late = await bypass(request, { cookie: `${sessionCookieName()}=${old}` });
    expect(late.json).toMatchObject({ code: "forbidden", detail: expect.stringContaining("10 minutes") });
    const cookie = `${sessionCookieName()}=${old}`;
    expect((await ask<Me>(readMe, "GET", "/api/admin/me", { headers: { cookie } })).json.signedInRecently).toBe(false);
    const { token } = await tokens.create(PROGRAM, {
      name: `t${Date.now()}`,
      role: "admin",
      expiresAt: null,
      enabled: true,
    });
    const sent = await BYPASS(
      new Request(`${ORIGIN}/api/admin/requests/${request.id}/bypass`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ hash: request.hash, reason: "now" }),
      }),
      { params: Promise.resolve({ id: request.id }) },
    );
    expect([sent.status, await isWide()]).toEqual([403, false]);
  });

  it("becomes outdated, and is not applied, when its row has changed since", async () => {
    const request = await held(await replace("policies", "support", WIDENED, "editor"));
    await review({ changes: "off", bypassHours: 4 });
    expect((await replace("policies", "support", { ...SUPPORT, description: "words" })).status).toBe(200);
    expect(await bypass(request)).toMatchObject({ status: 409, json: { code: "conflict" } });
    expect([await database.query("select status from request"), await isWide()]).toEqual([
      [{ status: "outdated" }],
      false,
    ]);
  });

  it("touches no settings of reviews, no people, no approvers and no rows with secrets", async () => {
    const [row] = await database.query<{ revision: number }>("select revision from settings");
    const settings = await ask(PUT_SETTINGS, "PUT", "/api/admin/settings", {
      body: {},
      headers: { "if-match": `"${row?.revision}"` },
    });
    const longer = await ask(PUT_SETTINGS, "PUT", "/api/admin/settings", {
      body: { review: { changes: "widening", bypassHours: 72 } },
      headers: { "if-match": `"${row?.revision}"` },
    });
    await create("users", { name: "eve", email: "eve@example.com", role: "editor" });
    await database.query("update person set enabled = false where name = 'eve'");
    const [eve] = await database.query<{ revision: number }>("select revision from person where name = 'eve'");
    const person = await ask(PUT, "PUT", "/api/admin/users/eve", {
      params: { resource: "users", id: "eve" },
      body: { name: "eve", email: "eve@example.com", role: "editor", enabled: true },
      headers: { "if-match": `"${eve?.revision}"` },
    });
    const offer = { ...WIDENED, name: "offer", effect: "request", maxHours: 8, approvers: ["admin"] };
    const approvers = await create("policies", offer);
    for (const answer of [settings, longer, person, approvers]) {
      const request = await held(answer);
      const read = await ask<RequestDetail>(READ, "GET", `/api/admin/requests/${request.id}`, {
        params: { id: request.id },
      });
      expect(read.json.mayBypass).toBe(false);
      expect((await bypass(request)).json).toMatchObject({ code: "forbidden" });
    }
    await database.query("delete from person where name = 'eve'");
  });

  it("wins over unreviewed later edits of its rows, and keeps what a second person approved", async () => {
    await bypassed();
    // Saved at once: it narrows. Nobody reviewed it.
    const narrower = { ...WIDENED, validUntil: "2030-01-01T00:00:00.000Z", description: "in between" };
    expect((await replace("policies", "support", narrower)).status).toBe(200);
    await review({ changes: "all", bypassHours: 4 });
    const words = await held(await replace("policies", "support", { ...narrower, priority: 7 }, "editor"));
    expect((await post(APPROVE, "approve", words.id, { hash: words.hash })).status).toBe(200);
    await revertUnconfirmed(after(5));
    expect(await policies.get("support")).toMatchObject({
      everyone: false,
      matchers: SUPPORT!.matchers,
      validUntil: null,
      description: "",
      priority: 7,
    });
  });

  it("proves nothing: a copy of it waits for review, and so does a second change of its row", async () => {
    await bypassed();
    const copy = await held(await create("policies", { ...WIDENED, name: "copy" }));
    expect(copy.facts).toMatchObject({ verdict: { kind: "wider" } });
    await review({ changes: "all", bypassHours: 4 });
    const again = await held(await replace("policies", "support", { ...WIDENED, description: "words" }));
    expect((await bypass(again)).json).toMatchObject({ code: "conflict", detail: expect.stringContaining("already") });
  });

  it("a created row is deleted and a deleted row returns, also when something uses it by then", async () => {
    const made = await held(await create("policies", { ...WIDENED, name: "emergency" }));
    expect((await bypass(made)).status).toBe(200);
    await revertUnconfirmed(after(5));
    expect(await database.query("select name from policy")).toEqual([{ name: "support" }]);
    await review({ changes: "all", bypassHours: 4 });
    const group = await held(await create("groups", { name: "spare", selectors: [{ source: "crm" }] }));
    expect((await bypass(group)).status).toBe(200);
    const use = await held(await replace("policies", "support", { ...SUPPORT, groups: ["crm", "spare"] }, "editor"));
    expect((await post(APPROVE, "approve", use.id, { hash: use.hash })).status).toBe(200);
    // A reviewed policy uses the group by now: the revert is tried again until somebody solves it.
    await revertUnconfirmed(after(5));
    expect(await database.query(`select status from request where id = '${group.id}'`)).toEqual([
      { status: "bypassed" },
    ]);
    await review({ changes: "off", bypassHours: 4 });
    expect((await replace("policies", "support", SUPPORT!)).status).toBe(200);
    await revertUnconfirmed(after(5.2));
    expect(await database.query(`select status from request where id = '${group.id}'`)).toEqual([
      { status: "reverted" },
    ]);
  });

  it("whose rows return one by one returns each once: later work on a returned row stays", async () => {
    await review({ changes: "all", bypassHours: 4 });
    const several = {
      apiVersion: "quartermaster/v1",
      groups: [{ name: "spare", selectors: [{ source: "crm" }] }],
      policies: [WIDENED, { ...WIDENED, name: "extra" }],
    };
    const merged = await ask(PUT_CONFIG, "PUT", "/api/admin/config?mode=merge", { body: several });
    expect((await bypass(await held(merged))).status).toBe(200);
    await review({ changes: "off", bypassHours: 4 });
    expect((await create("policies", { ...WIDENED, name: "user", groups: ["spare"] })).status).toBe(201);
    await revertUnconfirmed(after(5));
    expect(await database.query("select name, everyone from policy order by name")).toEqual([
      { name: "support", everyone: false },
      { name: "user", everyone: true },
    ]);
    expect((await replace("policies", "support", { ...SUPPORT, effect: "deny" })).status).toBe(200);
    expect((await create("policies", { ...WIDENED, name: "extra", effect: "deny" })).status).toBe(201);
    await revertUnconfirmed(after(6));
    const denies = [{ name: "extra" }, { name: "support" }];
    expect(await database.query("select name from policy where effect = 'deny' order by name")).toEqual(denies);
    // A returned row is no longer part of the change, which waits for the group alone.
    await review({ changes: "all", bypassHours: 4 });
    expect((await bypass(await held(await replace("policies", "support", SUPPORT!)))).status).toBe(200);
    await review({ changes: "off", bypassHours: 4 });
    expect((await replace("policies", "user", { ...WIDENED, name: "user" })).status).toBe(200);
    await revertUnconfirmed(after(7));
    expect(await database.query("select status from request")).toEqual([
      { status: "reverted" },
      { status: "reverted" },
    ]);
    expect(await database.query("select name from policy where effect = 'deny' order by name")).toEqual(denies);
    expect(await database.query("select name from tool_group")).toEqual([{ name: "crm" }]);
  });

  it("of many rows returns in few revisions when one is in use, and is tried again after a longer wait", async () => {
    await review({ changes: "all", bypassHours: 4 });
    const tools = Array.from({ length: 64 }, (_, at) => ({ ...DOCUMENT.tools[0], id: `crm:op_${at}` }));
    const merged = await ask(PUT_CONFIG, "PUT", "/api/admin/config?mode=merge", { body: { ...DOCUMENT, tools } });
    expect((await bypass(await held(merged))).status).toBe(200);
    await review({ changes: "off", bypassHours: 4 });
    expect((await create("groups", { name: "one", include: [{ tool: "crm:op_7" }] })).status).toBe(201);
    const newest = async () => Number((await database.query("select revision from config_state"))[0]!["revision"]);
    const before = await newest();
    await revertUnconfirmed(after(5));
    const left = async () => (await database.query("select id from tool where id like '%op%'")).map(({ id }) => id);
    expect(await left()).toEqual(["crm:op_7"]);
    expect((await newest()) - before).toBe(Math.log2(tools.length));
    await revertUnconfirmed(after(5));
    await replace("groups", "one", { name: "one" });
    await revertUnconfirmed(after(5 + 9 / 60));
    expect(await left()).toEqual(["crm:op_7"]);
    await revertUnconfirmed(after(5 + 11 / 60));
    expect(await left()).toEqual([]);
  });

  it("does not delete a row that was paused since until the pause ends, unless a person reverts it", async () => {
    await review({ changes: "all", bypassHours: 4 });
    const made = async (...names: string[]) => {
      const agents = names.map((name) => ({ name, issuer: null, subject: null }));
      const body = { ...DOCUMENT, agents, groups: [...DOCUMENT.groups, { name: `of-${names[0]}` }] };
      const request = await held(await ask(PUT_CONFIG, "PUT", "/api/admin/config?mode=merge", { body }));
      expect((await bypass(request)).status).toBe(200);
      for (const name of names) await pause(PROGRAM, { scope: "agent", name, reason: "an incident" });
      return request.id;
    };
    const left = async () =>
      (await database.query("select name from agent where name in ('early', 'night')")).map(({ name }) => name);
    const groups = async () => (await database.query("select name from tool_group where name <> 'crm'")).length;
    const early = await made("early");
    await made("night");
    expect((await post(REVERT, "revert", early, { reason: "It is over." })).status).toBe(200);
    expect([await left(), await groups()]).toEqual([["night"], 1]);
    for (const minutes of [1, 20]) await revertUnconfirmed(after(4 + minutes / 60));
    expect([await left(), await groups()]).toEqual([["night"], 0]);
    expect(await database.query("select status from request where status <> 'reverted'")).toEqual([
      { status: "bypassed" },
    ]);
    await resume(PROGRAM, { scope: "agent", name: "night" });
    await revertUnconfirmed(after(4 + 31 / 60));
    expect(await left()).toEqual([]);
    expect(await database.query("select distinct status from request")).toEqual([{ status: "reverted" }]);
  });

  it("is applied once, and confirmed or reverted once", async () => {
    const request = await held(await replace("policies", "support", WIDENED, "editor"));
    const twice: Answered[] = await Promise.all([bypass(request), bypass(request)]);
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const ends = await Promise.all([
      post(CONFIRM, "confirm", request.id, { hash: request.hash }, { cookie: await secondAdmin() }),
      post(REVERT, "revert", request.id, {}),
    ]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [row] = await database.query<{ status: string }>("select status from request");
    expect(await isWide()).toBe(row?.status === "applied");
  });
});
