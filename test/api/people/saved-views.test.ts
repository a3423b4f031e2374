import { beforeEach, describe, expect, it } from "vitest";
import * as list from "@/app/api/admin/views/route";
import { DELETE, GET, PUT } from "@/app/api/admin/views/[id]/route";
import { pageOf } from "@/lib/contracts/changes/list";
import type { Role } from "@/lib/resources/permissions";
import { savedViewRow, type SavedViewRow } from "@/lib/resources/saved-view";
import { ask, type Sent } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

const denials = { name: "denials", resource: "policies", query: { effect: "deny", sort: "name" }, columns: ["name"] };

const post = (body: unknown, role: Role = "editor") => ask(list.POST, "POST", "/api/admin/views", { body, role });

function one(method: "GET" | "PUT" | "DELETE", name: string, sent: Sent = {}) {
  const handler = { GET, PUT, DELETE }[method];
  return ask(handler, method, `/api/admin/views/${name}`, { role: "editor", ...sent, params: { id: name } });
}

async function seen(role: Role, query = ""): Promise<readonly SavedViewRow[]> {
  const answer = await ask(list.GET, "GET", `/api/admin/views${query}`, { role });
  expect(answer.status).toBe(200);
  return pageOf(savedViewRow).parse(answer.json).items;
}

beforeEach(() => database.query("delete from view"));

describe("a saved view", () => {
  it("is created with its ETag, read back unchanged, and found by its list and its name", async () => {
    const made = await post(denials);
    expect(made.status).toBe(201);
    expect(savedViewRow.parse(made.json)).toMatchObject({ ...denials, shared: false, mine: true });
    expect(made.headers.get("etag")).toBe(`"${String(made.json["revision"])}"`);
    await post({ name: "slow", resource: "executions" });
    expect((await one("GET", "denials")).json).toEqual(made.json);
    expect((await seen("editor", "?sort=-name")).map(({ name }) => name)).toEqual(["slow", "denials"]);
    for (const query of ["?resource=policies", "?q=DENI"])
      expect((await seen("editor", query)).map(({ name }) => name)).toEqual(["denials"]);
  });

  it("is replaced whole with If-Match; without it 428, with a stale one 409 and the current row", async () => {
    const { headers } = await post(denials);
    const ifMatch = { "if-match": headers.get("etag")! };
    const body = { ...denials, name: "refusals", shared: true, query: {} };
    expect((await one("PUT", "denials", { body })).status).toBe(428);
    const replaced = await one("PUT", "denials", { body, headers: ifMatch });
    expect(replaced).toMatchObject({ status: 200, json: { ...body, mine: true } });
    expect((await one("GET", "denials")).status).toBe(404);
    const stale = await one("PUT", "refusals", { body, headers: ifMatch });
    expect(stale).toMatchObject({ status: 409, json: { code: "stale", current: replaced.json } });
    const kept = await one("DELETE", "refusals", { headers: ifMatch });
    expect(kept).toMatchObject({ status: 409, json: { code: "stale" } });
  });

  it("never gets a revision that an earlier row of its name had", async () => {
    const first = await post(denials);
    expect((await one("DELETE", "denials")).status).toBe(204);
    expect((await post(denials)).headers.get("etag")).not.toBe(first.headers.get("etag"));
  });

  it("has a unique name, also against hidden views", async () => {
    await post(denials, "admin");
    const again = await post(denials, "editor");
    expect(again).toMatchObject({ status: 409, json: { code: "conflict", errors: [{ path: "name" }] } });
    const { headers } = await post({ ...denials, name: "other" }, "editor");
    const renamed = await one("PUT", "other", { body: denials, headers: { "if-match": headers.get("etag")! } });
    expect(renamed).toMatchObject({ status: 409, json: { code: "conflict", errors: [{ path: "name" }] } });
  });

  it("that loses against another save at the same time says so, and not that its name is taken", async () => {
    await database.query(`
      create function lose() returns trigger language plpgsql as $$ begin
        raise exception 'deadlock' using errcode = '40P01';
      end $$;
      create trigger lose before insert on view for each row execute function lose()`);
    const lost = await post(denials);
    await database.query("drop function lose cascade");
    expect(lost).toMatchObject({ status: 409, json: { code: "conflict", errors: [] } });
    expect(lost.json["detail"]).toContain("at the same time");
  });

  it.each([
    ["an unknown list", { resource: "colours" }, "resource"],
    ["an unknown field", { colour: "red" }, "colour"],
    ["a name that is no slug", { name: "No Slug" }, "name"],
    ["a query that is no text", { query: { q: 1 } }, "query.q"],
  ])("with %s is refused by its path", async (_what, fields, path) => {
    const refused = await post({ ...denials, ...fields });
    expect(refused.status).toBe(400);
    expect(refused.json.errors.map(({ path: at }) => at)).toContain(path);
    expect(await seen("editor")).toEqual([]);
  });

  it("refuses what the database cannot hold, by its path", async () => {
    const refused = await post({ ...denials, query: { q: "a\0b" } });
    expect(refused.status).toBe(400);
  });

  it("makes no revision and no change row: no decision reads it", async () => {
    const count = () => database.query("select (select count(*) from revision), (select count(*) from change)");
    const before = await count();
    await post(denials);
    await one("DELETE", "denials");
    expect(await count()).toEqual(before);
  });
});

describe("a view of someone else", () => {
  it("is visible to others only when it is shared", async () => {
    await post(denials, "admin");
    expect(await seen("editor")).toEqual([]);
    for (const method of ["GET", "DELETE"] as const) expect((await one(method, "denials")).status).toBe(404);
    const body = { ...denials, shared: true };
    expect((await one("PUT", "denials", { body, headers: { "if-match": '"1"' } })).status).toBe(404);
  });

  it("that is shared is read by all, and changed by its owner only", async () => {
    const { headers } = await post({ ...denials, shared: true }, "admin");
    expect(await seen("auditor")).toMatchObject([{ name: "denials", mine: false }]);
    const change = { body: { ...denials, shared: false }, headers: { "if-match": headers.get("etag")! } };
    expect(await one("PUT", "denials", change)).toMatchObject({ status: 403, json: { code: "forbidden" } });
    expect((await one("DELETE", "denials")).status).toBe(403);
    expect((await seen("editor")).length).toBe(1);
  });

  it("that is shared may be deleted by an admin, because its owner may have left", async () => {
    await post({ ...denials, shared: true }, "editor");
    expect((await one("DELETE", "denials", { role: "admin" })).status).toBe(204);
  });

  it("of a list that the role may not read is not found, and cannot be created", async () => {
    await post({ name: "admins", resource: "users", query: { role: "admin" }, shared: true }, "admin");
    expect((await seen("auditor")).length).toBe(1);
    expect(await seen("editor")).toEqual([]);
    expect((await post({ name: "people", resource: "users" }, "editor")).status).toBe(403);
  });

  it("is deleted with its owner unless it is shared", async () => {
    await post(denials, "editor");
    await post({ ...denials, name: "for-all", shared: true }, "editor");
    await database.query("delete from person where email = 'editor@example.com'");
    const left = await database.query<{ name: string }>("select name from view");
    expect(left.map(({ name }) => name)).toEqual(["for-all"]);
  });
});
