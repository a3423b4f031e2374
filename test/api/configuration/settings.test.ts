import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as readChange } from "@/app/api/admin/changes/[id]/route";
import { GET as readChanges } from "@/app/api/admin/changes/route";
import { GET as readMe } from "@/app/api/admin/me/route";
import { PUT as putConfig } from "@/app/api/admin/config/route";
import { DELETE as resume, GET as readPauses, PUT as pause } from "@/app/api/admin/pause/route";
import { GET as readProfiles } from "@/app/api/admin/profiles/route";
import { GET as readSettings, PUT as saveSettings } from "@/app/api/admin/settings/route";
import { DELETE as remove, PUT as replace } from "@/app/api/admin/[resource]/[id]/route";
import { POST as create } from "@/app/api/admin/[resource]/route";
import { POST as restore } from "@/app/api/admin/revisions/[number]/restore/route";
import { POST as approve } from "@/app/api/admin/requests/[id]/approve/route";
import { setUp } from "@/bin/first-start";
import { profileAllows, profileNames, profiles } from "@/lib/access/compile/profiles";
import { readAttention } from "@/lib/admin/attention";
import { changeRow } from "@/lib/contracts/changes/change";
import { pageOf } from "@/lib/contracts/changes/list";
import type { HeldChange } from "@/lib/contracts/changes/request";
import { me } from "@/lib/contracts/people/me";
import { agentInput } from "@/lib/resources/agent";
import { issuerInput } from "@/lib/resources/issuer";
import { pauseName, pauseRow } from "@/lib/resources/pause";
import { profileRow } from "@/lib/resources/profile";
import { settingsInput } from "@/lib/resources/settings";
import { write, type Actor } from "@/lib/store/save/write";
import { closeDatabase, db } from "@/lib/store/db/database";
import { currentRevision } from "@/lib/store/snapshot/load";
import { closeSnapshot, currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client, idsOf } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { setReview } from "@/test/support/set-review";
import { addPerson } from "@/test/support/person";

const PROGRAM: Actor = { kind: "system", name: "test", role: "admin" };
const ISSUER = issuerInput.parse({
  name: "corp",
  issuer: "https://corp.example",
  audience: "quartermaster",
  jwksUri: "https://corp.example/keys",
  algorithms: ["ES256"],
});

useDatabase();
let bot: Client;

beforeAll(async () => {
  bot = new Client((await setUp({ demo: true })).apiKey ?? "");
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

describe("the settings", () => {
  const at = "/api/admin/settings";

  test("are replaced whole, on the version that was read, and count at once", async () => {
    const read = await ask(readSettings, "GET", at);
    const { version, ...settings } = read.json;
    expect(read.headers.get("etag")).toBe(`"${String(version)}"`);
    const body = { ...settingsInput.parse(settings), openStart: false };
    const saved = await ask(saveSettings, "PUT", at, { body, headers: { "if-match": `"${String(version)}"` } });
    expect([saved.status, saved.json["openStart"]]).toEqual([200, false]);
    expect((await ask(readSettings, "GET", at)).json["openStart"]).toBe(false);

    const stale = await ask(saveSettings, "PUT", at, { body, headers: { "if-match": `"${String(version)}"` } });
    expect([stale.status, stale.json.code]).toEqual([409, "stale"]);
    expect(stale.json["current"]).toMatchObject({ settings: { openStart: false } });
  });
  test("need If-Match, and refuse unknown fields and thresholds the wrong way round", async () => {
    expect((await ask(saveSettings, "PUT", at, { body: {} })).status).toBe(428);
    for (const [body, path] of [
      [{ surprise: 1 }, "surprise"],
      [{ routing: { high: 0.5, medium: 0.6 } }, "routing.high"],
    ] as const) {
      const got = await ask(saveSettings, "PUT", at, { body, headers: { "if-match": "0" } });
      expect([got.status, got.json.errors[0]?.path]).toEqual([400, path]);
    }
  });
  test("have a plan that saves nothing, and says who may approve before reviews are switched on", async () => {
    const { version, ...stored } = (await ask(readSettings, "GET", at)).json;
    const settings = settingsInput.parse(stored);
    const plan = async (change: Partial<typeof settings>, based = Number(version)) =>
      ask(saveSettings, "PUT", `${at}?dryRun=true`, {
        body: { ...settings, ...change },
        headers: { "if-match": `"${String(based)}"` },
      });
    const reviewed = { review: { ...settings.review, changes: "widening" } } as const;
    await db().user.updateMany({ where: { name: { not: "the-admin" } }, data: { enabled: false } });
    expect((await plan({ openStart: !settings.openStart })).json).toEqual({
      errors: [],
      users: [],
      warnings: [],
      review: null,
    });
    const tooFew = [expect.objectContaining({ message: expect.stringContaining("two enabled people") })];
    expect((await plan(reviewed)).json).toMatchObject({ errors: tooFew, warnings: [] });
    await addPerson({ name: "edith", email: "edith@example.com", role: "editor" });
    const begins = (people: string) => ({ path: "review.changes", message: expect.stringContaining(people) });
    const onlyAdmin = {
      path: "review.changes",
      message: expect.stringMatching(/only one admin.*secrets.*issuers.*API keys.*users.*webhooks/),
    };
    const warnings = [begins("2 people may approve changes, 1 of them with the role admin"), onlyAdmin];
    expect((await plan(reviewed)).json).toMatchObject({ errors: [], warnings });
    await addPerson({ name: "ada", email: "ada@example.com", role: "admin" });
    const two = [begins("3 people may approve changes, 2 of them with the role admin")];
    expect((await plan(reviewed)).json).toMatchObject({ errors: [], warnings: two });
    expect((await plan(reviewed, Number(version) + 1)).json).toMatchObject({ code: "stale" });
    expect((await ask(readSettings, "GET", at)).json).toEqual({ version, ...stored });
    await db().user.updateMany({ data: { enabled: true } });
  });
});

describe("a pause", () => {
  const at = "/api/admin/pause";

  test("of everything, a source or an agent stops calls and lists at once until it is lifted", async () => {
    const calculate = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
    expect((await bot.call(calculate)).json.status).toBe("succeeded");
    for (const target of [
      { scope: "all", name: null },
      { scope: "source", name: "builtin" },
      { scope: "agent", name: "support-bot" },
    ]) {
      const put = await ask(pause, "PUT", at, { body: { ...target, reason: "an incident" } });
      expect(pauseRow.array().parse(put.json.items)).toMatchObject([
        { ...target, reason: "an incident", by: "admin@example.com" },
      ]);
      expect((await readAttention("auditor", Date.now())).pauses).toMatchObject([target]);
      expect((await bot.call(calculate)).json.status).toBe("denied");
      expect(idsOf((await bot.list()).json)).not.toContain("builtin:calculate");
      const query = new URLSearchParams({ scope: target.scope, ...(target.name !== null && { name: target.name }) });
      expect((await ask(resume, "DELETE", `${at}?${query}`)).status).toBe(204);
      expect((await bot.call(calculate)).json.status).toBe("succeeded");
    }
    expect((await ask(readPauses, "GET", at)).json.items).toEqual([]);
  });
  test.each(["off", "all"] as const)(
    "stays on an agent and a source that an editor renames, in the rename's revision (reviews: %s)",
    async (changes) => {
      const agent = { issuer: "corp", subject: "bot-1" };
      const source = { kind: "http" };
      const send = (resource: string, method: "POST" | "PUT", body: object, id?: string, version?: number) =>
        ask(method === "POST" ? create : replace, method, `/api/admin/${resource}/${id ?? ""}`, {
          params: { resource, ...(id !== undefined && { id }) },
          body,
          role: "editor",
          ...(version !== undefined && { headers: { "if-match": `"${version}"` } }),
        });
      const rows = [
        ["agents", "agent", agent],
        ["sources", "source", source],
      ] as const;
      await write(PROGRAM, () => [{ resource: "issuers", action: "create", after: ISSUER }]);
      for (const [resource, scope, row] of rows) {
        const { json } = await send(resource, "POST", { name: "nightly", ...row });
        await ask(pause, "PUT", at, { body: { scope, name: "nightly", reason: "an incident" } });
        await setReview(changes);
        const renamed = await send(resource, "PUT", { name: "weekly", ...row }, "nightly", Number(json["revision"]));
        expect(renamed.status).toBe(changes === "off" ? 200 : 202);
        if (changes === "all") {
          const { id, hash } = (renamed.json as unknown as HeldChange).request;
          await ask(approve, "POST", at, { params: { id }, body: { hash } });
        }
        await setReview("off");
        const paused = (await ask(readPauses, "GET", at)).json.items;
        expect(paused).toMatchObject([{ scope, name: "weekly", reason: "an incident" }]);
        expect((await currentSnapshot()).index.config.pauses).toMatchObject([{ scope, target: "weekly" }]);
        const [last] = await db().change.findMany({ where: { resource: "pauses" }, orderBy: { id: "desc" }, take: 1 });
        const [own] = await db().change.findMany({ where: { resource }, orderBy: { id: "desc" }, take: 1 });
        expect(last).toMatchObject({ rowId: `${scope}:nightly`, action: "update", revision: own?.revision });
        await ask(resume, "DELETE", `${at}?scope=${scope}&name=weekly`);
        await write(PROGRAM, () => [{ resource, action: "delete", id: "weekly" }]);
      }
      await write(PROGRAM, () => [{ resource: "issuers", action: "delete", id: "corp" }]);
    },
  );
  test("follows an agent that a restore by an editor gives its former name, and refuses where it cannot", async () => {
    const nightly = agentInput.parse({ name: "nightly", issuer: "corp", subject: "bot-1" });
    const rename = (id: string, name: string) =>
      write(PROGRAM, () => [{ resource: "agents", action: "update", id, after: { ...nightly, name } }]);
    const restored = async (revision: number) => {
      const params = { number: String(revision) };
      const headers = { "if-match": `"${await currentRevision(db())}"` };
      return ask(restore, "POST", `/api/admin/revisions/${revision}/restore`, { params, role: "editor", headers });
    };
    const paused = async () => (await currentSnapshot()).index.config.pauses.map(({ target }) => target);
    await write(PROGRAM, () => [
      { resource: "issuers", action: "create", after: ISSUER },
      { resource: "agents", action: "create", after: nightly },
    ]);
    await ask(pause, "PUT", at, { body: { scope: "agent", name: "nightly", reason: "an incident" } });
    const before = await currentRevision(db());
    await rename("nightly", "weekly");
    await rename("weekly", "monthly");
    expect((await restored(before)).status).toBe(200);
    expect([await paused(), (await currentSnapshot()).agents.has("nightly")]).toEqual([["nightly"], true]);
    await rename("nightly", "weekly");
    const other = { ...nightly, subject: "bot-2" };
    await write(PROGRAM, () => [{ resource: "agents", action: "create", after: other }]);
    expect(await restored(before)).toMatchObject({ status: 409, json: { code: "conflict" } });
    expect(await paused()).toEqual(["weekly"]);
    await ask(resume, "DELETE", `${at}?scope=agent&name=weekly`);
    expect((await restored(before)).status).toBe(200);
    await write(PROGRAM, () => [
      { resource: "agents", action: "delete", id: "nightly" },
      { resource: "issuers", action: "delete", id: "corp" },
    ]);
  });
  test("follows agents that take each other's names", async () => {
    const agent = (name: string, subject: string) => agentInput.parse({ name, issuer: "corp", subject });
    await write(PROGRAM, () => [
      { resource: "issuers", action: "create", after: ISSUER },
      { resource: "agents", action: "create", after: agent("one", "bot-1") },
      { resource: "agents", action: "create", after: agent("two", "bot-2") },
    ]);
    for (const name of ["one", "two"])
      await ask(pause, "PUT", at, { body: { scope: "agent", name, reason: `stop ${name}` } });
    await write(PROGRAM, () => [
      { resource: "agents", action: "update", id: "one", after: agent("two", "bot-1") },
      { resource: "agents", action: "update", id: "two", after: agent("three", "bot-2") },
    ]);
    const names = ["two", "three"];
    const paused = async () => (await ask(readPauses, "GET", at)).json.items.map((one: unknown) => pauseRow.parse(one));
    expect((await paused()).map(({ name, reason }) => [name, reason])).toEqual([
      ["three", "stop two"],
      ["two", "stop one"],
    ]);
    for (const name of names) {
      await ask(resume, "DELETE", `${at}?scope=agent&name=${name}`);
      await write(PROGRAM, () => [{ resource: "agents", action: "delete", id: name }]);
    }
    await write(PROGRAM, () => [{ resource: "issuers", action: "delete", id: "corp" }]);
  });
  test("stays when another pause keeps the new name, and follows when that one ends in the same save", async () => {
    const pausesNow = async () =>
      (await ask(readPauses, "GET", at)).json.items
        .map((one: unknown) => pauseRow.parse(one))
        .map(({ name, reason }) => `${name}: ${reason}`)
        .toSorted();
    const names = ["one", "two", "three"];
    for (const name of names) {
      await write(PROGRAM, () => [{ resource: "agents", action: "create", after: agentInput.parse({ name }) }]);
      await ask(pause, "PUT", at, { body: { scope: "agent", name, reason: `stop ${name}` } });
    }
    await write(PROGRAM, () => [{ resource: "agents", action: "delete", id: "three" }]);
    const rename = (id: string, name: string) =>
      ({ resource: "agents", action: "update", id, after: agentInput.parse({ name }) }) as const;
    await write(PROGRAM, () => [rename("one", "two"), rename("two", "three")]);
    expect(await pausesNow()).toEqual(["one: stop one", "three: stop three", "two: stop two"]);
    const ended = { resource: "pauses", action: "delete", id: pauseName({ scope: "agent", name: "three" }) } as const;
    await write(PROGRAM, () => [ended, rename("two", "three"), rename("three", "four")]);
    expect(await pausesNow()).toEqual(["one: stop one", "three: stop two"]);
    for (const name of ["one", "three"]) await ask(resume, "DELETE", `${at}?scope=agent&name=${name}`);
    for (const id of ["three", "four"]) await write(PROGRAM, () => [{ resource: "agents", action: "delete", id }]);
  });
  test("keeps an editor from deleting its row, or taking its subject away, by any way in", async () => {
    const nightly = { name: "nightly", issuer: "corp", subject: "bot-1" };
    const [resource, id, role] = ["agents", "nightly", "editor"] as const;
    await write(PROGRAM, () => [{ resource: "issuers", action: "create", after: ISSUER }]);
    const before = await currentRevision(db());
    const { json } = await ask(create, "POST", "/api/admin/agents", { params: { resource }, body: nightly, role });
    await ask(pause, "PUT", at, { body: { scope: "agent", name: id, reason: "an incident" } });
    const headers = { "if-match": `"${String(json["revision"])}"` };
    const document = { apiVersion: "quartermaster/v1", agents: [{ ...nightly, name: "other" }] };
    const latest = { "if-match": `"${await currentRevision(db())}"` };
    const row = { params: { resource, id }, role, headers };
    const edited = (body: object) => ask(replace, "PUT", `/api/admin/agents/${id}`, { ...row, body });
    const refused = {
      status: 403,
      json: { detail: expect.stringContaining("`nightly` is paused"), errors: [{ path: "pauses" }] },
    };
    expect(await ask(remove, "DELETE", `/api/admin/agents/${id}`, row)).toMatchObject(refused);
    expect(await edited({ ...nightly, subject: "bot-2" })).toMatchObject(refused);
    expect(await edited({ ...nightly, issuer: null, subject: null })).toMatchObject(refused);
    expect(await ask(putConfig, "PUT", "/api/admin/config", { body: document, role, headers: latest })).toMatchObject(
      refused,
    );
    const params = { number: String(before) };
    const at7 = `/api/admin/revisions/${before}/restore`;
    expect(await ask(restore, "POST", at7, { params, role, headers: latest })).toMatchObject(refused);
    await setReview("all");
    const held = await ask(remove, "DELETE", `/api/admin/agents/${id}`, { ...row, role: "admin" });
    const { id: request, hash } = (held.json as unknown as HeldChange).request;
    const answer = { params: { id: request }, body: { hash }, role };
    expect(await ask(approve, "POST", "/api/admin/requests", answer)).toMatchObject(refused);
    await setReview("off");
    expect((await edited({ ...nightly, description: "Works at night." })).status).toBe(200);
    await ask(resume, "DELETE", `${at}?scope=agent&name=${id}`);
    expect((await ask(remove, "DELETE", `/api/admin/agents/${id}`, { params: { resource, id }, role })).status).toBe(
      204,
    );
    await write(PROGRAM, () => [{ resource: "issuers", action: "delete", id: "corp" }]);
  });
  test("names the missing part: a reason, a name, an existing target, a pause to lift", async () => {
    for (const [body, path] of [
      [{ scope: "all", reason: " " }, "reason"],
      [{ scope: "source", reason: "x" }, "name"],
      [{ scope: "all", name: "support", reason: "x" }, "name"],
      [{ scope: "agent", name: "nobody", reason: "x" }, "name"],
      [{ scope: "everyone", reason: "x" }, "scope"],
    ] as const) {
      const got = await ask(pause, "PUT", at, { body });
      expect([got.status, got.json.errors[0]?.path]).toEqual([400, path]);
    }
    expect((await ask(resume, "DELETE", `${at}?scope=all`)).status).toBe(404);
  });
});

describe("the changes", () => {
  const list = async (query: string) =>
    pageOf(changeRow).parse((await ask(readChanges, "GET", `/api/admin/changes${query}`, { role: "auditor" })).json);

  test("say who changed what, from what to what, newest first", async () => {
    const { items } = await list("?resource=pauses&id=source:builtin");
    expect(items.map(({ action, actor }) => [action, actor.name, actor.role])).toEqual([
      ["delete", "admin@example.com", "admin"],
      ["create", "admin@example.com", "admin"],
    ]);
    expect(items[0]).toMatchObject({ before: { reason: "an incident" }, after: null });
    expect(items[1]).toMatchObject({ before: null, after: { reason: "an incident" } });
  });
  test("are paged without losing or repeating one, and filtered by revision and actor", async () => {
    const all = await list("?limit=500");
    let pages: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list(`?limit=7${cursor === "" ? "" : `&cursor=${cursor}`}`);
      pages = [...pages, ...page.items.map(({ id }) => id)];
      cursor = page.nextCursor;
    }
    expect(pages).toEqual(all.items.map(({ id }) => id));
    expect((await list("?revision=1")).items.every(({ revision }) => revision === 1)).toBe(true);
    expect((await list("?actor=setup")).items.every(({ actor }) => actor.kind === "system")).toBe(true);
    for (const [query, path] of [
      ["cursor=x", "cursor"],
      ["sort=actor", "sort"],
      ["from=yesterday", "from"],
      ["action=touch", "action"],
      ["colour=red", "colour"],
    ]) {
      const bad = await ask(readChanges, "GET", `/api/admin/changes?${query}`);
      expect([query, bad.status, bad.json.errors[0]?.path]).toEqual([query, 400, path]);
    }
  });
  test("read from the oldest on are the same, and are found by time, action and text", async () => {
    const newest = await list("?limit=500");
    const oldest = await list("?limit=3&sort=at");
    const next = await list(`?limit=500&sort=at&cursor=${oldest.nextCursor ?? ""}`);
    expect([...oldest.items, ...next.items]).toEqual(newest.items.toReversed());
    const at = newest.items[0]!.at;
    expect((await list(`?limit=500&from=${at}`)).items).toEqual(newest.items.filter((row) => row.at >= at));
    expect((await list(`?limit=500&to=${at}`)).items).toEqual(newest.items.filter((row) => row.at < at));
    expect((await list("?action=delete&q=BUILTIN")).items.map(({ rowId }) => rowId)).toEqual(["source:builtin"]);
    expect((await list("?q=admin@example&resource=settings")).items.map(({ rowId }) => rowId)).toEqual(["settings"]);
  });
  test("are read one by one by their id; what a role may not read is not there", async () => {
    const read = async (id: string, role: "admin" | "editor") =>
      ask(readChange, "GET", `/api/admin/changes/${id}`, { role, params: { id } });
    const key = (await list("?resource=api-keys")).items[0]!;
    expect((await read(key.id, "admin")).json).toEqual(key);
    for (const [id, role] of [
      [key.id, "editor"],
      ["0", "admin"],
      ["x", "admin"],
    ] as const)
      expect([id, (await read(id, role)).status]).toEqual([id, 404]);
  });
});

test("the profiles of the code are listed, to be read only", async () => {
  const got = await ask(readProfiles, "GET", "/api/admin/profiles", { role: "auditor" });
  expect(
    pageOf(profileRow)
      .parse(got.json)
      .items.map(({ name }) => name),
  ).toEqual(profileNames);
});

test("profiles say how many tools of the catalogue they let through", async () => {
  const { items } = pageOf(profileRow).parse((await ask(readProfiles, "GET", "/api/admin/profiles")).json);
  const tools = [...(await currentSnapshot()).tools.values()];
  expect(items.find(({ name }) => name === "main")).toMatchObject({ allowed: tools.length, denied: 0 });
  for (const { name, allowed, denied, drift } of items) {
    const profile = profiles.get(name)!;
    const byRule = tools.filter(({ source, operation }) => profileAllows(profile, source, operation)).length;
    expect([name, allowed, denied]).toEqual([name, byRule - drift, tools.length - byRule + drift]);
  }
});

test("profiles are found by name and description, in the requested order, page by page", async () => {
  const page = async (query: string) =>
    pageOf(profileRow).parse((await ask(readProfiles, "GET", `/api/admin/profiles?${query}`)).json);
  const names = async (query: string) => (await page(query)).items.map(({ name }) => name);
  expect(await names("sort=-name")).toEqual(profileNames.toSorted().toReversed());
  expect(await names("q=SCHEDULED")).toContain("scheduled");
  expect(await names("q=nothing is called that")).toEqual([]);
  const first = await page("sort=name&limit=3");
  expect(first.total).toBe(profileNames.length);
  expect(await names(`sort=name&limit=3&cursor=${first.nextCursor}`)).toEqual(profileNames.toSorted().slice(3));
  const refused = await ask(readProfiles, "GET", "/api/admin/profiles?sort=meaning");
  expect(refused).toMatchObject({ status: 400, json: { errors: [{ path: "sort" }] } });
});

test("returns the person's identity and permissions", async () => {
  const got = await ask(readMe, "GET", "/api/admin/me", { role: "auditor" });
  const person = me.parse(got.json);
  expect(person).toMatchObject({ kind: "user", name: "auditor@example.com", userName: "The auditor", role: "auditor" });
  expect(person.permissions).toContain("executions:bodies");
  expect(person.permissions).not.toContain("configuration:write");
  expect(person.signedInRecently).toBe(true);
});
