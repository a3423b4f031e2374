import { afterAll, beforeAll, expect, it } from "vitest";
import { policies } from "@/lib/store/config/policies";
import { followSnapshot, type Snapshot } from "@/lib/store/snapshot/snapshot";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { statementsOf } from "@/test/support/statements";

const database = useDatabase();
const followed = followSnapshot();

beforeAll(async () => {
  await save(supportDocument());
});
afterAll(() => followed.close());

/** The snapshot of the revision that a change makes. */
async function after(change: () => Promise<{ readonly revision: number }>): Promise<Snapshot> {
  const { revision } = await change();
  return followed.current(revision);
}

async function switchPolicy(): Promise<{ readonly revision: number; readonly active: boolean }> {
  const { revision, createdAt: _created, updatedAt: _updated, ...row } = await policies.get("ticket-work");
  return policies.replace(ADMIN, "ticket-work", { ...row, active: !row.active }, revision);
}

it("reads of a changed policy that policy, and takes over the tables of all that did not change", async () => {
  const before = await followed.current();
  const { revision, active } = await switchPolicy();
  let now = before;
  const statements = await statementsOf(async () => (now = await followed.current(revision)));
  expect(now.revision).toBe(revision);
  expect(now.index.policies.map(({ policy }) => [policy.name, policy.active])).toContainEqual(["ticket-work", active]);
  expect(now.index.tools).toBe(before.index.tools);
  expect(now.index.groups).toBe(before.index.groups);
  expect(now.tools).toBe(before.tools);
  // Which revision; what has changed; which of the policies; that policy; operations without a tool; connected people. None of
  // these when a notice has caused the load already.
  expect(new Set(statements.filter((sql) => !/SET TRANSACTION/i.test(sql))).size).toBeLessThanOrEqual(6);
});

it("notices a row that was changed past the house, and one that went", async () => {
  await followed.current();
  const bump = async () => {
    const [row] = await database.query<{ revision: number }>(
      "update config_state set revision = revision + 1 where id = 1 returning revision",
    );
    return row!;
  };
  const off = await after(async () => {
    await database.query(`update tool set enabled = false where id = 'builtin:calculate'`);
    return bump();
  });
  expect(off.tools.get("builtin:calculate")?.enabled).toBe(false);
  const gone = await after(async () => {
    await database.query(`delete from policy where name = 'ticket-work'`);
    return bump();
  });
  expect(gone.index.policies.map(({ policy }) => policy.name)).not.toContain("ticket-work");
  expect(gone.index.tools).toBe(off.index.tools);
});
