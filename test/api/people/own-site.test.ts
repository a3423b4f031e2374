import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Handler } from "@/lib/http/route";
import { closeDatabase } from "@/lib/store/db/database";
import { flushRefusals } from "@/lib/store/audit/refusals";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

// Another site can make a person's browser send a GET with the cookie. Some GET routes write audit events in the
// person's name: they answer such a request, and one for what does not exist, without writing anything.

const database = useDatabase();
const ROOT = "app/api/admin";
/** Reads that write an audit event, each with an id that nothing has. */
const WRITERS = [
  "approvals/[id]/route.ts",
  "denials/[id]/route.ts",
  "executions/[id]/route.ts",
  "sessions/[id]/route.ts",
  "exports/[resource]/route.ts",
];
const routes: { readonly file: string; readonly handler: Handler }[] = [];

beforeAll(async () => {
  await save(supportDocument());
  for (const file of readdirSync(ROOT, { recursive: true, encoding: "utf8" })) {
    if (!/(^|\/)route\.ts$/.test(file)) continue;
    const { GET } = (await import(join(process.cwd(), ROOT, file))) as { GET?: Handler };
    if (GET !== undefined) routes.push({ file, handler: GET });
  }
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

async function send({ file, handler }: (typeof routes)[number], site: string, resource = "none"): Promise<number> {
  const params = { id: "none", name: "none", number: "1", resource, a: "1", b: "1", section: "none" };
  const headers = { ...(await signIn("admin")), "sec-fetch-site": site };
  const address = file.replace("/route.ts", "").replaceAll(/\[.*?\]/g, "none");
  const request = new Request(`${ORIGIN}/${ROOT.replace("app/", "")}/${address}`, { headers });
  return (await handler(request, { params: Promise.resolve(params) })).status;
}

async function events(): Promise<number> {
  await flushRefusals();
  const rows = await database.query(`select 1 from audit_event where action not like 'refused.%'`);
  return rows.length;
}

it.each(["cross-site", "same-site"])("every GET of the admin API refuses a cookie that comes %s", async (site) => {
  const before = await events();
  expect(routes.length).toBeGreaterThan(40);
  const allowed: string[] = [];
  for (const route of routes) if ((await send(route, site, "policies")) !== 403) allowed.push(route.file);
  expect(allowed).toEqual([]);
  expect(await events()).toBe(before);
});

it.each(WRITERS)("%s answers 404 to an id that nothing has, and writes nothing", async (file) => {
  const before = await events();
  const found = routes.find((route) => route.file === file);
  expect(await send(found!, "same-origin")).toBe(404);
  expect(await events()).toBe(before);
});
