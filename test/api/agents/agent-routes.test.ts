import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { AGENT_ROUTES } from "@/lib/server/routes";
import { useDatabase } from "@/test/support/database";

useDatabase();

const APP = join(process.cwd(), "app");
const VERBS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

/** Path → verb → handler, of every route of Next's that hands on a handler of the agent plane. */
async function nextRoutes(): Promise<Record<string, object>> {
  const files = readdirSync(APP, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("/route.ts"))
    .map((name) => join(APP, name))
    .filter((file) => readFileSync(file, "utf8").match(/from "@\/lib\/(agents|server)\//) !== null);
  const routes = files.map(async (file) => {
    const exported = (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
    const handlers = Object.entries(exported).filter(([name]) => VERBS.has(name));
    return [`/${relative(APP, file).replace(/\/route\.ts$/, "")}`, Object.fromEntries(handlers)] as const;
  });
  return Object.fromEntries(await Promise.all(routes));
}

test("the front serves exactly the routes of the agent plane that Next has, with the same handlers", async () => {
  const next = await nextRoutes();
  expect(Object.keys(next)).toContain("/api/agents/tools");
  expect(AGENT_ROUTES).toEqual(next);
});
