import { afterAll, beforeAll, expect, test } from "vitest";
import * as item from "@/app/api/admin/[resource]/[id]/route";
import * as list from "@/app/api/admin/[resource]/route";
import * as changes from "@/app/api/admin/changes/route";
import * as execution from "@/app/api/admin/executions/[id]/route";
import * as executions from "@/app/api/admin/executions/route";
import * as preview from "@/app/api/admin/preview/route";
import * as revisions from "@/app/api/admin/revisions/route";
import { setUp } from "@/bin/first-start";
import type { Handler } from "@/lib/http/route";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client, type Problem } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// Input that the database would refuse must be refused before: a 4xx that names the field.
useDatabase();
let bot: Client;

beforeAll(async () => {
  bot = new Client((await setUp({ demo: true })).apiKey ?? "");
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const logCursor = (text: string) => Buffer.from(text).toString("base64url");

test.each<[what: string, handler: Handler, query: string, resource: string]>([
  ["NUL in a search", list.GET, "q=%00", "groups"],
  ["NUL in a filter of text", list.GET, "source=%00", "tools"],
  ["NUL in a filter of tags", list.GET, "tag=a%00", "tools"],
  ["NUL in a filter's name", list.GET, "so%00urce=a", "tools"],
  ["NUL in a cursor's id", list.GET, `cursor=${encoded(["name", "asc", "a", "\0"])}`, "groups"],
  [
    "the year 0 in a cursor",
    list.GET,
    `sort=updatedAt&cursor=${encoded(["updatedAt", "asc", "0000-01-01T00:00:00Z", "a"])}`,
    "groups",
  ],
  ["NUL in a search of the log", executions.GET, "q=%00", ""],
  ["the year 0 in the log's time", executions.GET, "from=0000-01-01T00:00:00Z", ""],
  [
    "a year beyond the database's in the log's cursor",
    executions.GET,
    `cursor=${logCursor("+275760-09-13T00:00:00.000Z c")}`,
    "",
  ],
  ["NUL in the log's cursor", executions.GET, `cursor=${logCursor("2020-09-13T00:00:00.000Z c\0")}`, ""],
  ["a cursor beyond every change", changes.GET, "cursor=99999999999999999999999999", ""],
  ["a revision beyond all", changes.GET, "revision=99999999999", ""],
  ["NUL in a changed row's id", changes.GET, "id=%00", ""],
  ["a cursor that is no revision", revisions.GET, "cursor=1e3", ""],
])("%s is a 400 that names the field", async (_what, handler, query, resource) => {
  const answer = await ask(handler, "GET", `/api/admin/x?${query}`, { params: { resource } });
  expect([answer.status, answer.json.code]).toEqual([400, "invalid_request"]);
  expect(answer.json.errors[0]?.path).not.toBe("");
});

test("there is nothing at an address with NUL", async () => {
  const row = await ask(item.GET, "GET", "/x", { params: { resource: "groups", id: "\u0000" } });
  const call = await ask(execution.GET, "GET", "/x", { params: { id: "call\0" } });
  expect([row.status, call.status]).toEqual([404, 404]);
  expect((await bot.session("ses\0")).status).toBe(404);
  expect((await bot.read("call\0")).status).toBe(404);
  expect((await bot.list<Problem>("?session_id=%00")).json.errors[0]?.path).toBe("session_id");
});

test.each([
  ["tokens", { name: "t", role: "auditor", expiresAt: "0000-01-01T00:00:00Z" }, "expiresAt"],
  ["tokens", { name: "t", role: "auditor", expiresAt: "9999-12-31T23:59:59-23:59" }, "expiresAt"],
  ["policies", { name: "p", everyone: true, groups: ["*"], validFrom: "0000-06-01T00:00:00Z" }, "validFrom"],
])("a time that no store holds is refused on save: %s %j", async (resource, body, path) => {
  const answer = await ask(list.POST, "POST", "/x", { params: { resource }, body });
  expect([answer.status, answer.json.errors[0]?.path]).toEqual([400, path]);
});

test("a preview of a call that was refused before anything was resolved says so", async () => {
  for (const body of [{ session_id: "ses_none" }, { profile: "nobody" }]) {
    const { json: refused } = await bot.call({ tool_id: "support:lookup_customer", ...body });
    const answer = await ask(preview.POST, "POST", "/x", { body: { executionId: refused.call_id } });
    expect([answer.status, answer.json.errors[0]?.path]).toEqual([400, "executionId"]);
  }
  const beyond = await ask(preview.POST, "POST", "/x", { body: { revision: 99_999_999_999 } });
  expect([beyond.status, beyond.json.errors[0]?.path]).toEqual([400, "revision"]);
});
