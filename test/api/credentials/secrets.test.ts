import { beforeEach, describe, expect, it } from "vitest";
import { DELETE as deleteSource } from "@/app/api/admin/[resource]/[id]/route";
import { POST as postSource } from "@/app/api/admin/[resource]/route";
import { PUT as putConfig, GET as getConfig } from "@/app/api/admin/config/route";
import { GET as listChanges } from "@/app/api/admin/changes/route";
import { GET } from "@/app/api/admin/secrets/route";
import { DELETE, GET as READ, PUT } from "@/app/api/admin/secrets/[name]/route";
import type { Role } from "@/lib/resources/permissions";
import { secretPage, secretRow } from "@/lib/resources/secret";
import { readSecretValue } from "@/lib/store/config/secrets";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { findInDatabase } from "@/test/support/find-in-database";

const database = useDatabase();
const VALUE = "swordfish-9f2c-correct-horse";
const ORIGIN = "https://api.example.com";
const SOURCE = { name: "shop", kind: "http", auth: { mode: "bearer", secret: "shop-token" } };

const set = (body: unknown, name = "shop-token", role: Role = "admin", headers = {}) =>
  ask(PUT, "PUT", `/api/admin/secrets/${name}`, { body, params: { name }, role, headers });
const setAt = (revision: number, body: unknown) => set(body, "shop-token", "admin", { "if-match": `"${revision}"` });
const remove = (name = "shop-token") => ask(DELETE, "DELETE", `/api/admin/secrets/${name}`, { params: { name } });
const list = async (query = "") =>
  secretPage.parse((await ask(GET, "GET", `/api/admin/secrets${query}`, { role: "auditor" })).json).items;
const addSource = () =>
  ask(postSource, "POST", "/api/admin/sources", { body: SOURCE, params: { resource: "sources" }, role: "editor" });

beforeEach(async () => {
  await database.query("delete from source where name = 'shop'");
  await database.query("delete from secret");
  await database.query("delete from change where resource = 'secrets'");
});

describe("a secret", () => {
  it("is set, and shown by name, use and time, never by value", async () => {
    const answer = await set({ value: VALUE, origins: [ORIGIN] });
    expect(answer.status).toBe(200);
    await addSource();
    expect(await list()).toEqual([
      { ...secretRow.parse(answer.json), usedBy: ["shop"], origins: [ORIGIN], lastUsedAt: null, readable: true },
    ]);
    expect(await readSecretValue("shop-token")).toEqual({ value: VALUE, origins: [ORIGIN] });
    await expect.poll(async () => (await list())[0]?.lastUsedAt).not.toBeNull();
    expect(answer.text + JSON.stringify(await list())).not.toContain(VALUE);
    expect(await findInDatabase(database, VALUE)).toEqual([]);
  });

  it("gets a new value by the same request, and its change rows contain neither value", async () => {
    await set({ value: VALUE, origins: [ORIGIN] });
    await set({ value: `${VALUE}-2`, origins: [ORIGIN] });
    expect((await readSecretValue("shop-token")).value).toBe(`${VALUE}-2`);
    const changes = await ask(listChanges, "GET", "/api/admin/changes?resource=secrets");
    expect(changes.json.items.map(({ action }) => action)).toEqual(["update", "create"]);
    expect(Object.keys(changes.json.items[0]!["after"] as object).toSorted()).toEqual(["name", "origins", "setAt"]);
    expect(changes.text).not.toContain("swordfish");
  });

  it("is only created, not replaced, at version 0: a taken name is a conflict at its field", async () => {
    expect((await setAt(0, { value: VALUE, origins: [ORIGIN] })).status).toBe(200);
    for (const value of [`${VALUE}-2`, undefined])
      expect(await setAt(0, { value, origins: ["https://other.example"] })).toMatchObject({
        status: 409,
        json: { code: "conflict", errors: [{ path: "name", message: "`shop-token` is taken" }] },
      });
    expect(await readSecretValue("shop-token")).toEqual({ value: VALUE, origins: [ORIGIN] });
  });

  it("is not replaced at a version that another person has changed", async () => {
    const { revision } = secretRow.parse((await set({ value: VALUE, origins: [ORIGIN] })).json);
    const read = await ask(READ, "GET", "/api/admin/secrets/shop-token", { params: { name: "shop-token" } });
    expect(read.headers.get("etag")).toBe(`"${revision}"`);
    const theirs = secretRow.parse((await setAt(revision, { origins: ["https://other.example"] })).json);
    const mine = await setAt(revision, { origins: [ORIGIN] });
    expect(mine).toMatchObject({ status: 409, json: { code: "stale", current: { revision: theirs.revision } } });
    expect(mine.text).not.toContain("ciphertext");
    expect((await list())[0]).toMatchObject({ origins: ["https://other.example"], revision: theirs.revision });
    await remove();
    expect((await setAt(theirs.revision, { value: VALUE, origins: [ORIGIN] })).status).toBe(404);
  });

  it("keeps its value when only its origins change; a new one needs a value", async () => {
    await set({ value: VALUE, origins: [ORIGIN] });
    const [before] = await list();
    await set({ origins: ["https://other.example:8443"] });
    expect(await readSecretValue("shop-token")).toEqual({ value: VALUE, origins: ["https://other.example:8443"] });
    expect((await list())[0]?.setAt).toBe(before?.setAt);
    const refused = await set({ origins: [ORIGIN] }, "unheard-of");
    expect(refused).toMatchObject({ status: 400, json: { errors: [{ path: "value" }] } });
  });

  it.each([
    ["no origin", { value: VALUE, origins: [] }, "origins"],
    ["an address instead of an origin", { value: VALUE, origins: ["https://api.example.com/v1"] }, "origins[0]"],
    ["another scheme", { value: VALUE, origins: ["file://x"] }, "origins[0]"],
    ["a line break", { value: `${VALUE}\n`, origins: [ORIGIN] }, "value"],
    ["too short a value", { value: "abc", origins: [ORIGIN] }, "value"],
    ["an unknown field", { value: VALUE, origins: [ORIGIN], colour: "red" }, "colour"],
  ])("with %s is refused by its path, without its value", async (_what, body, path) => {
    const refused = await set(body);
    expect(refused.status).toBe(400);
    expect(refused.json.errors.map((error) => error.path)).toContain(path);
    expect(refused.text).not.toContain("swordfish");
    expect(await list()).toEqual([]);
  });

  it.each(["editor", "auditor"] as const)("is not set by an %s", async (role) => {
    expect((await set({ value: VALUE, origins: [ORIGIN] }, "shop-token", role)).status).toBe(403);
  });

  it("is not deleted while a source names it; the refusal names the source", async () => {
    await set({ value: VALUE, origins: [ORIGIN] });
    await addSource();
    expect(await remove()).toMatchObject({
      status: 409,
      json: { code: "in_use", users: [{ resource: "sources", id: "shop", path: "auth.secret" }] },
    });
    await ask(deleteSource, "DELETE", "/api/admin/sources/shop", { params: { resource: "sources", id: "shop" } });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
  });

  it("that does not exist is a warning when a source names it, because a document may be saved before its secrets", async () => {
    const plan = await ask(postSource, "POST", "/api/admin/sources?dryRun=true", {
      body: SOURCE,
      params: { resource: "sources" },
    });
    const warning = { path: "sources[shop].auth.secret", message: "there is no secret `shop-token`" };
    expect(plan.json).toEqual({ errors: [], users: [], warnings: [warning], review: null });
    const document = { apiVersion: "quartermaster/v1", sources: [SOURCE] };
    const whole = await ask(putConfig, "PUT", "/api/admin/config?dryRun=true", { body: document });
    expect(whole.json["warnings"]).toContainEqual(warning);
    await set({ value: VALUE, origins: [ORIGIN] });
    const after = await ask(putConfig, "PUT", "/api/admin/config?dryRun=true", { body: document });
    expect(after.json["warnings"]).not.toContainEqual(warning);
  });

  it("causes a warning where it would travel in plain text", async () => {
    const auth = { mode: "client_credentials", tokenUrl: "http://idp.example/token", clientId: "c", secret: "s" };
    const plan = await ask(postSource, "POST", "/api/admin/sources?dryRun=true", {
      body: { ...SOURCE, auth },
      params: { resource: "sources" },
    });
    expect(plan.text).toContain("plain text: use https");
  });

  it("is found by name and by origin, in the requested order", async () => {
    await set({ value: VALUE, origins: [ORIGIN] }, "shop-token");
    await set({ value: VALUE, origins: [ORIGIN] }, "shop-admin");
    await set({ value: VALUE, origins: ["https://other.example"] }, "billing");
    const names = async (query: string) => (await list(query)).map(({ name }) => name);
    expect(await names("")).toEqual(["billing", "shop-admin", "shop-token"]);
    expect(await names("?q=SHOP&sort=-setAt")).toEqual(["shop-admin", "shop-token"]);
    expect(await names("?origin=https://other.example")).toEqual(["billing"]);
    expect(await names("?limit=2")).toEqual(["billing", "shop-admin"]);
    const refused = await ask(GET, "GET", "/api/admin/secrets?value=x");
    expect(refused).toMatchObject({ status: 400, json: { errors: [{ path: "value" }] } });
    const one = (name: string) =>
      ask(READ, "GET", `/api/admin/secrets/${name}`, { params: { name }, role: "auditor" as const });
    expect(secretRow.parse((await one("billing")).json).origins).toEqual(["https://other.example"]);
    expect((await one("unheard-of")).status).toBe(404);
  });

  it("is no part of the configuration document", async () => {
    await set({ value: VALUE, origins: [ORIGIN] });
    const { text } = await ask(getConfig, "GET", "/api/admin/config");
    expect(text).not.toContain("shop-token");
  });

  it("moved to another name cannot be decrypted, and the error says what to do", async () => {
    await set({ value: VALUE, origins: [ORIGIN] });
    await database.query("update secret set name = 'other'");
    await expect(readSecretValue("other")).rejects.toMatchObject({ code: "upstream_auth_failed" });
    expect(await list()).toMatchObject([{ name: "other", readable: false }]);
    await expect(readSecretValue("shop-token")).rejects.toThrow("There is no secret `shop-token`.");
  });
});
