import { Client as Connection } from "pg";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { POST as erasure } from "@/app/api/admin/executions/erasure/route";
import type { ErasureOutput } from "@/lib/contracts/log/erasure";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const CALL = { tool_id: "builtin:calculate", arguments: { expression: "3 + 3" } };

beforeAll(() => save(supportDocument()));

it("an erasure waits for a session's step that writes claims: the two never deadlock", async () => {
  const worker = new Client(await keyOf("worker"));
  const { json } = await worker.open({ question: "Which ticket?" });
  await worker.call({ ...CALL, session_id: json.session_id });
  const step = new Connection({ connectionString: database.url });
  await step.connect();
  onTestFinished(() => step.end());
  await step.query("begin");
  await step.query("select 1 from agent_session for update");
  const erased = ask<ErasureOutput>(erasure, "POST", "/api/admin/executions/erasure", {
    body: { agent: "worker" },
    role: "admin",
  });
  const waiting = () =>
    database.query("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
  await vi.waitFor(async () => expect(await waiting()).not.toEqual([]), { timeout: 5_000 });
  await step.query("insert into execution_claims select * from execution_claims on conflict do nothing");
  await step.query("commit");
  expect((await erased).json).toMatchObject({ calls: 1, claims: 1, sessions: 1 });
});
