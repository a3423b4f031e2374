import { Socket } from "node:net";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { GET as attention } from "@/app/api/admin/attention/route";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

// Requests of every page's shell on a busy machine never get a 503 (docs/decisions/0024-many-processes.md).

const database = useDatabase();

/** As many pages open at once. */
const PAGES = 9;
/** Longer than a decision waits for a connection. */
const HELD_MS = 2_500;

beforeAll(() => save(supportDocument()));
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

it("what waits is answered to every page although the process was blocked while their connections opened", async () => {
  const headers = await signIn("admin");
  await closeDatabase();
  const answers = Array.from({ length: PAGES }, () =>
    attention(new Request(`${ORIGIN}/api/admin/attention`, { headers })),
  );
  const connects = vi.spyOn(Socket.prototype, "connect");
  while (connects.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_MS);
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
});

it("a part of what waits that cannot be read hides no other", async () => {
  await database.query("alter table drift rename to drift_gone");
  onTestFinished(async () => void (await database.query("alter table drift_gone rename to drift")));
  const headers = await signIn("auditor");
  const answer = await attention(new Request(`${ORIGIN}/api/admin/attention`, { headers }));
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { pauses: [], calls: 0, requests: { access: 0, changes: 0 }, drift: null, unconfirmed: [] },
  ]);
});
