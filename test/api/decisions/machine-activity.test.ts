import { afterAll, beforeAll, expect, test } from "vitest";
import { GET } from "@/app/api/admin/machines/[name]/activity/route";
import { machineActivity, type MachineActivity } from "@/lib/contracts/decisions/machine-activity";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// The figures on the graph of a state machine (docs/reference/interface.md).

const database = useDatabase();
const LOOK_UP = { tool_id: "support:lookup_customer", arguments: { query: "ada" } };

async function activity(name: string): Promise<MachineActivity> {
  const got = await ask(GET, "GET", `/api/admin/machines/${name}/activity`, { params: { name }, role: "editor" });
  expect(got.status).toBe(200);
  return machineActivity.parse(got.json);
}

beforeAll(async () => {
  const { machines } = supportDocument() as { machines: Record<string, unknown>[] };
  const loop = {
    name: "loop",
    initial: "start",
    states: [{ name: "start" }, { name: "end", terminal: true }],
    rules: [
      {
        selector: { source: "support" },
        transitions: [
          { from: "*", to: "end" },
          { from: "end", to: "start" },
        ],
      },
    ],
  };
  await save(supportDocument({ machines: [...machines, loop] }));
  const worker = new Client(await keyOf("worker"));
  const reader = new Client(await keyOf("reader"));
  const open = async (client: Client, body: object) => (await client.open({ group: ["*"], ...body })).json.session_id;

  // `worker` runs `case` without naming it; one of its three sessions has moved on, one has expired.
  const [moved, , expired] = [await open(worker, {}), await open(worker, {}), await open(worker, {})];
  for (const session_id of [moved, expired]) await worker.call({ ...LOOK_UP, session_id });
  await database.query(`update agent_session set "expiresAt" = now() - interval '1 s' where id = $1`, [expired]);

  const looping = await open(reader, { machine: "loop" });
  for (let step = 0; step < 3; step++) await reader.call({ ...LOOK_UP, session_id: looping });
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

test("live sessions are counted by state, those that run their agent's machine too", async () => {
  expect((await activity("case")).sessions).toEqual([
    { state: "investigating", count: 1 },
    { state: "triage", count: 1 },
  ]);
});

test("successful calls are counted under the transition that they took: an exact one takes precedence over `*`", async () => {
  expect((await activity("case")).transitions).toEqual([{ rule: 0, from: "triage", to: "investigating", count: 2 }]);
  const { transitions, others } = await activity("loop");
  expect(transitions.toSorted((one, other) => (one.from < other.from ? -1 : 1))).toEqual([
    { rule: 0, from: "*", to: "end", count: 2 },
    { rule: 0, from: "end", to: "start", count: 1 },
  ]);
  expect(others).toBe(0);
});

test("moves whose transition no longer exists are counted as others, and moves older than 24 hours are left out", async () => {
  const { machines } = supportDocument() as { machines: Record<string, unknown>[] };
  await save({ apiVersion: "quartermaster/v1", machines: machines.map((one) => ({ ...one, rules: [] })) });
  expect(await activity("case")).toMatchObject({ transitions: [], others: 2 });
  await database.query(`alter table execution disable trigger user`);
  await database.query(`update execution set at = at - interval '25 hours'`);
  expect(await activity("case")).toMatchObject({ transitions: [], others: 0 });
});

test("an unknown machine is not found", async () => {
  const got = await ask(GET, "GET", "/api/admin/machines/gone/activity", { params: { name: "gone" } });
  expect(got).toMatchObject({ status: 404, json: { code: "not_found" } });
});
