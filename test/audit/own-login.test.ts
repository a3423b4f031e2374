import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyLog } from "@/lib/audit/verify/verify";
import { enterAppRole } from "@/lib/store/db/connection-role";
import { closeDatabase, db } from "@/lib/store/db/database";
import { logSession } from "@/lib/store/db/log-session";
import { mayUndoRole, readProtection } from "@/lib/store/audit/seals";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
const login = `login_${randomBytes(4).toString("hex")}`;
const ofLogin = () => {
  const url = new URL(database.url);
  [url.username, url.password] = [login, "its own"];
  return url.href;
};

beforeAll(async () => {
  // As docs/audit.md says, before any code reads the environment.
  await database.query(`create role ${login} login password 'its own' in role quartermaster_app`);
  process.env["DATABASE_APP_URL"] = ofLogin();
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
  delete process.env["DATABASE_APP_URL"];
  await database.query(`drop role ${login}`);
});

it("the app runs under a separate login: calls, seals and a verification", async () => {
  const who = "select session_user::text as login, current_user::text as role";
  expect(await db().$queryRawUnsafe(who)).toEqual([{ login, role: "quartermaster_app" }]);
  await world.call();
  await world.seal();
  expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true, protection: "role" });
  expect(await logSession("read", mayUndoRole)).toBe(false);
});

it.each(["reset role", "set role none", "reset session authorization", "discard all"])(
  "after `%s` the log still cannot be changed",
  async (leave) => {
    const app = new Client({ connectionString: ofLogin() });
    await app.connect();
    try {
      await enterAppRole(app);
      await app.query(leave);
      for (const sql of [
        "update execution set asked = 'x'",
        "delete from seal",
        "delete from audit_event",
        "truncate execution",
        "alter table execution disable trigger all",
        "drop table execution_outcome",
        "select grant_app_role()",
      ])
        await expect(app.query(sql)).rejects.toMatchObject({ code: "42501" });
    } finally {
      await app.end();
    }
  },
);

it("an owner's session that only set the role is recognised: `reset role` gives it access to the log", async () => {
  const owner = new Client({ connectionString: database.url });
  await owner.connect();
  try {
    await enterAppRole(owner);
    const runQuery = async <R extends object>(sql: string, values: readonly unknown[] = []) =>
      (await owner.query<R>(sql, [...values])).rows;
    expect([await readProtection(runQuery), await mayUndoRole(runQuery)]).toEqual(["role", true]);
  } finally {
    await owner.end();
  }
});
