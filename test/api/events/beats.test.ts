import { expect, it, onTestFinished, vi } from "vitest";
import { liveInstance, sendHeartbeat } from "@/lib/store/log/executions-reaper";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

const isKnown = async (id: string) => (await database.query("select 1 from instance where id = $1", [id])).length > 0;

it("a process without a name in the log sends no heartbeat", async () => {
  await sendHeartbeat();
  expect(await database.query("select 1 from instance")).toEqual([]);
});

it("a process whose heartbeat was late counts no other process as dead until the others had time for theirs", async () => {
  const now = performance.now.bind(performance);
  let later = 0;
  const time = vi.spyOn(performance, "now").mockImplementation(() => now() + later);
  onTestFinished(() => time.mockRestore());
  await liveInstance();
  const beatAfter = async (seconds: number) => {
    later += seconds * 1000;
    await sendHeartbeat();
  };
  const silent = () =>
    database.query(
      `insert into instance (id, "seenAt") values ('other', now() - interval '40 s') on conflict (id) do nothing`,
    );
  await silent();
  await beatAfter(10);
  expect(await isKnown("other")).toBe(false);
  await silent();
  // The store was lost for 40 s.
  await beatAfter(40);
  expect(await isKnown("other")).toBe(true);
  await beatAfter(10);
  expect(await isKnown("other")).toBe(true);
  await beatAfter(10);
  expect(await isKnown("other")).toBe(false);
});
