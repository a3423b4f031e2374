import { Socket } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { GET as approvals } from "@/app/api/admin/approvals/route";
import { GET as drift } from "@/app/api/admin/drift/route";
import { GET as pauses } from "@/app/api/admin/pause/route";
import type { Handler } from "@/lib/http/route";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

// Requests of every page's shell on a busy machine never get a 503 (docs/decisions/0024-many-processes.md).

useDatabase();

const COUNTS: readonly (readonly [Handler, string])[] = [
  [approvals, "/api/admin/approvals?status=waiting&limit=1"],
  [pauses, "/api/admin/pause"],
  [drift, "/api/admin/drift?decision=pending&limit=1"],
];
/** Longer than a decision waits for a connection. */
const HELD_MS = 2_500;

beforeAll(() => save(supportDocument()));
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

it("counts of a page are answered although the process was blocked while their connections opened", async () => {
  const headers = await signIn("admin");
  await closeDatabase();
  const answers = COUNTS.flatMap((count) => [count, count, count]).map(([handler, path]) =>
    handler(new Request(`${ORIGIN}${path}`, { headers })),
  );
  const connects = vi.spyOn(Socket.prototype, "connect");
  while (connects.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_MS);
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
});
