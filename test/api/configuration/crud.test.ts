import { beforeEach, describe, expect, it } from "vitest";
import * as list from "@/app/api/admin/[resource]/route";
import { DELETE, GET, PUT } from "@/app/api/admin/[resource]/[id]/route";
import { FORM_NAME_REFUSED } from "@/lib/resources/parts/words";
import { resources, type ResourceName, type ResourceShape } from "@/lib/resources/index";
import { KINDS, RESOURCE_NAMES } from "@/lib/resources/kinds";
import { pageOf } from "@/lib/contracts/changes/list";
import { samples } from "@/test/api/samples";
import { ask, type Sent } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

type Fields = Record<string, unknown>;

function post(resource: ResourceName, body: unknown, sent: Sent = {}) {
  return ask(list.POST, "POST", `/api/admin/${resource}`, { ...sent, body, params: { resource } });
}

function get(resource: ResourceName, query = "") {
  return ask(list.GET, "GET", `/api/admin/${resource}${query}`, { params: { resource } });
}

function one(method: "GET" | "PUT" | "DELETE", resource: ResourceName, id: string, sent: Sent = {}) {
  const handler = { GET, PUT, DELETE }[method];
  const path = `/api/admin/${resource}/${encodeURIComponent(id)}`;
  return ask(handler, method, path, { ...sent, params: { resource, id } });
}

async function revision(): Promise<number> {
  const [state] = await database.query<{ revision: number }>("select revision from config_state");
  return state!.revision;
}

const TABLES = [...RESOURCE_NAMES.map((name) => KINDS[name].table), "settings", "change", "revision"];

async function clear(): Promise<void> {
  await database.query(TABLES.map((table) => `delete from ${table}`).join(";"));
}

describe.each(Object.keys(samples) as ResourceName[])("%s", (resource) => {
  const { needs, first, second, change, filter, bad, user, always = [] } = samples[resource];
  const { row, created = row }: ResourceShape = resources[resource];
  const { id: key } = KINDS[resource];
  const id = String(first[key]);

  beforeEach(async () => {
    await clear();
    for (const [other, body] of needs) await post(other, body);
  });

  it("is created, with its defaults, its revision and its ETag, and read back the same", async () => {
    const made = await post(resource, first);
    expect(made).toMatchObject({ status: 201 });
    const parsed = created.parse(made.json) as Fields;
    expect(made.headers.get("etag")).toBe(`"${parsed["revision"]}"`);
    const read = await one("GET", resource, id);
    expect(read.status).toBe(200);
    const { key: _key, token: _token, password: _password, secret: _secret, warnings: _warnings, ...shown } = made.json;
    expect(read.json).toEqual(shown);
    expect(read.headers.get("etag")).toBe(made.headers.get("etag"));
  });

  it("is not found at an address that must be decoded twice, which Next decodes once", async () => {
    const made = await post(resource, first);
    const twice = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    expect(await one("GET", resource, twice)).toMatchObject({ status: 404 });
    const headers = { "if-match": made.headers.get("etag")! };
    expect(await one("DELETE", resource, twice, { headers })).toMatchObject({ status: 404 });
    expect(await one("GET", resource, id)).toMatchObject({ status: 200 });
  });

  it("is replaced whole with If-Match, and the answer reads back the same", async () => {
    const made = await post(resource, first);
    const replaced = await one("PUT", resource, id, {
      body: { ...first, ...change },
      headers: { "if-match": made.headers.get("etag")! },
    });
    expect(replaced).toMatchObject({ status: 200 });
    expect(replaced.json).toMatchObject(change);
    expect(replaced.headers.get("etag")).not.toBe(made.headers.get("etag"));
    expect((await one("GET", resource, id)).json).toEqual(replaced.json);
  });

  it("is not replaced without If-Match (428), and a stale one gets the current row (409)", async () => {
    const made = await post(resource, first);
    const body = { ...first, ...change };
    expect((await one("PUT", resource, id, { body })).status).toBe(428);
    const ok = await one("PUT", resource, id, { body, headers: { "if-match": made.headers.get("etag")! } });
    expect(ok).toMatchObject({ status: 200 });
    const stale = await one("PUT", resource, id, { body: first, headers: { "if-match": made.headers.get("etag")! } });
    expect(stale.status).toBe(409);
    expect(stale.json).toMatchObject({ code: "stale", current: ok.json });
    const gone = await one("DELETE", resource, id, { headers: { "if-match": made.headers.get("etag")! } });
    expect(gone.json).toMatchObject({ code: "stale", current: ok.json });
  });

  it("is listed, searched, sorted both ways, paged to the end and counted", async () => {
    await post(resource, first);
    await post(resource, second);
    const page = pageOf(row);
    const all = page.parse((await get(resource)).json);
    expect(all.total).toBe(2 + always.length);
    const ids = all.items.map((each) => String((each as Fields)[key]));
    expect(ids).toEqual([...always, String(first[key]), String(second[key])].toSorted());
    const found = page.parse((await get(resource, `?q=${encodeURIComponent(id.toUpperCase())}`)).json);
    expect(found.items.map((each) => (each as Fields)[key])).toEqual([id]);
    // A text, not a pattern that matches everything.
    expect(page.parse((await get(resource, "?q=%25")).json).items).toEqual([]);
    const unknown = await get(resource, "?sort=colour");
    const columns = /: use (.*)$/.exec(unknown.json.errors[0]?.message ?? "")?.[1]?.split(", ") ?? [];
    expect(columns).toContain("updatedAt");
    for (const sort of columns.flatMap((column) => [column, `-${column}`])) {
      const walked: unknown[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const query: string = `?limit=1&sort=${sort}${cursor === "" ? "" : `&cursor=${cursor}`}`;
        const part = page.parse((await get(resource, query)).json);
        expect(part.total).toBe(2 + always.length);
        walked.push(...part.items.map((each) => (each as Fields)[key]));
        cursor = part.nextCursor;
      }
      const whole = page.parse((await get(resource, `?sort=${sort}`)).json);
      expect(walked).toEqual(whole.items.map((each) => (each as Fields)[key]));
      expect(new Set(walked).size).toBe(2 + always.length);
    }
  });

  it("can be filtered by its columns; an unknown filter, sort or cursor is a 400 that names it", async () => {
    await post(resource, first);
    await post(resource, second);
    const found = await get(resource, filter === undefined ? `?q=${id}` : `?${filter[0]}=${filter[1]}`);
    expect(found.json.items.map((each) => each[key])).toEqual([id]);
    for (const [query, path] of [
      ["?colour=red", "colour"],
      ["?sort=colour", "sort"],
      ["?cursor=zzz", "cursor"],
      ["?limit=0", "limit"],
    ] as const) {
      const refused = await get(resource, query);
      expect(refused.status).toBe(400);
      expect(refused.json.errors.map(({ path: at }) => at)).toContain(path);
    }
  });

  it("refuses unknown fields and bad values by their path, and saves nothing", async () => {
    const before = await revision();
    const unknown = await post(resource, { ...first, colour: "red" });
    expect(unknown.status).toBe(400);
    expect(unknown.json.errors).toContainEqual({ path: "colour", message: "unknown field: remove it" });
    const nothing = await post(resource, {});
    expect(nothing.json.errors.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^is missing: /));
    const wrong = await post(resource, { ...first, ...bad.fields });
    expect(wrong.status).toBe(400);
    expect(wrong.json.errors.map(({ path }) => path)).toContain(bad.path);
    expect((await get(resource)).json.total).toBe(always.length);
    expect(await revision()).toBe(before);
  });

  it("exists once: a second one of the same name is a 409", async () => {
    await post(resource, first);
    const again = await post(resource, first);
    expect(again.status).toBe(409);
    expect(again.json.code).toBe("conflict");
  });

  it.runIf(key === "name")(
    "is neither created nor renamed as `new`, whose page is the form; an old one works",
    async () => {
      const errors = [{ path: "name", message: FORM_NAME_REFUSED }];
      expect(await post(resource, { ...first, name: "new" })).toMatchObject({ status: 400, json: { errors } });
      const made = await post(resource, first);
      const put = (at: string, body: Fields) =>
        one("PUT", resource, at, { body, headers: { "if-match": made.headers.get("etag")! } });
      // A webhook refuses any other name.
      expect(await put(id, { ...first, name: "new" })).toMatchObject({
        status: 400,
        json: { errors: [{ path: "name" }] },
      });
      await database.query(`update ${KINDS[resource].table} set name = 'new' where name = $1`, [id]);
      expect(await put("new", { ...first, ...change, name: "new" })).toMatchObject({ status: 200, json: change });
      expect((await one("DELETE", resource, "new")).status).toBe(204);
    },
  );

  it("is deleted; a missing one is a 404", async () => {
    const made = await post(resource, first);
    const gone = await one("DELETE", resource, id, { headers: { "if-match": made.headers.get("etag")! } });
    expect(gone).toMatchObject({ status: 204 });
    expect((await one("GET", resource, id)).status).toBe(404);
    expect((await one("DELETE", resource, id)).status).toBe(404);
    expect((await one("PUT", resource, id, { body: first, headers: { "if-match": '"1"' } })).status).toBe(404);
  });

  it.runIf(user !== undefined)(
    "is neither deleted nor renamed while something uses it, and the user is named",
    async () => {
      const made = await post(resource, first);
      const [by, body] = user!;
      const used = await post(by, body);
      expect(used).toMatchObject({ status: 201 });
      const refused = await one("DELETE", resource, id);
      expect(refused.status).toBe(409);
      expect(refused.json.code).toBe("in_use");
      expect(refused.json["users"]).toContainEqual(
        expect.objectContaining({ resource: by, id: body[resources[by].id] }),
      );
      expect((await one("GET", resource, id)).status).toBe(200);
      if (key === "id") return;
      const renamed = await one("PUT", resource, id, {
        body: { ...first, name: "renamed" },
        headers: { "if-match": made.headers.get("etag")! },
      });
      expect(renamed.json.code).toBe("in_use");
    },
  );

  it("leaves one change row and one revision for each change, and none when nothing changed", async () => {
    const start = await revision();
    const made = await post(resource, first);
    const same = await one("PUT", resource, id, { body: first, headers: { "if-match": made.headers.get("etag")! } });
    expect(same).toMatchObject({ status: 200 });
    expect(await revision()).toBe(start + 1);
    await one("PUT", resource, id, {
      body: { ...first, ...change },
      headers: { "if-match": same.headers.get("etag")! },
    });
    await one("DELETE", resource, id);
    const rows = await database.query<{
      action: string;
      revision: number;
      actor: string;
      before: object;
      after: object;
    }>(`select action, revision, actor, before, after from change where resource = $1 order by id`, [resource]);
    expect(rows.map(({ action, revision: of }) => [action, of])).toEqual([
      ["create", start + 1],
      ["update", start + 2],
      ["delete", start + 3],
    ]);
    expect(rows.every(({ actor }) => actor === "admin@example.com")).toBe(true);
    expect(rows[1]!.before).toEqual(rows[0]!.after);
    expect(rows[2]!.before).toEqual(rows[1]!.after);
    expect(await revision()).toBe(start + 3);
  });
});

it("a list in the order of a flag is paged across both values; a cursor of impossible values is a 400", async () => {
  for (const [name, active] of [
    ["order-a", true],
    ["order-b", false],
    ["order-c", true],
  ] as const)
    await post("groups", { ...samples.groups.first, name, active });
  for (const sort of ["active", "-active"]) {
    const walked: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = `?q=order-&limit=1&sort=${sort}${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const page = pageOf(resources.groups.row).parse((await get("groups", query)).json);
      walked.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor;
    }
    expect([sort, walked]).toEqual([
      sort,
      sort === "active" ? ["order-b", "order-a", "order-c"] : ["order-c", "order-a", "order-b"],
    ]);
  }
  for (const [resource, column, value] of [
    ["policies", "priority", 2 ** 40],
    ["policies", "updatedAt", "2020-02-31T00:00:00.000Z"],
  ] as const) {
    const cursor = Buffer.from(JSON.stringify([column, "asc", value, "x"])).toString("base64url");
    expect((await get(resource, `?sort=${column}&cursor=${cursor}`)).status).toBe(400);
  }
});
