import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { stores } from "@/lib/store/config/index";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";

// Agents that were allowed to state the state of a named machine before the server held it by default.

const database = useDatabase();

/** What the migration does to rows: everything from its first WITH. */
function dataMigration(): string {
  const name = readdirSync("prisma/migrations").find((one) => one.endsWith("_state_held_by_server")) ?? "";
  const sql = readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8");
  return sql.slice(sql.indexOf("WITH recent"));
}

const LOOK_UP = { tool_id: "support:lookup_customer", arguments: { query: "ada" } };
const NAMES = ["states", "opens", "lists", "sessions", "built-in"];

it("keeps an agent that has stated a state as it was, and lets the server hold the state of every other", async () => {
  const agents = NAMES.map((name) => ({
    name,
    attributes: { team: "support" },
    machine: name === "built-in" ? null : "case",
    stateHeldByServer: false,
  }));
  await save(supportDocument({ agents }));
  const client = Object.fromEntries(
    await Promise.all(NAMES.map(async (name) => [name, new Client(await keyOf(name))] as const)),
  );
  expect((await client["states"]!.call({ ...LOOK_UP, state: "investigating" })).status).toBe(200);
  const opened = (await client["opens"]!.open({ group: ["*"], state: "investigating" })).json.session_id;
  expect((await client["opens"]!.call({ ...LOOK_UP, session_id: opened })).status).toBe(200);
  await client["lists"]!.list("?state=investigating");
  expect((await client["lists"]!.call(LOOK_UP)).status).toBe(200);
  const session = (await client["sessions"]!.open({ group: ["*"] })).json.session_id;
  expect((await client["sessions"]!.call({ ...LOOK_UP, session_id: session })).status).toBe(200);
  expect((await client["sessions"]!.call({ ...LOOK_UP, session_id: session })).status).toBe(200);
  expect((await client["built-in"]!.call({ ...LOOK_UP, state: "anything" })).status).toBe(200);

  await database.query(dataMigration());
  const held = await Promise.all(NAMES.map(async (name) => [name, (await stores.agents.get(name)).stateHeldByServer]));
  // Lists are not logged: an agent that stated a state only there is taken for one that states none.
  expect(Object.fromEntries(held)).toEqual({
    states: false,
    opens: false,
    lists: true,
    sessions: true,
    "built-in": true,
  });
});
