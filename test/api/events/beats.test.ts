import { expect, it, onTestFinished, vi } from "vitest";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

const isKnown = async (id: string) => (await database.query("select 1 from instance where id = $1", [id])).length > 0;

it("a process that could not say that it lives takes nobody else for dead: whom the store was lost to as well has time to be heard again", async () => {
  let beat = () => {};
  const clock = vi.spyOn(globalThis, "setInterval").mockImplementation(((every: () => void) => {
    beat = every;
    return { unref: () => {} };
  }) as never);
  await liveInstance();
  clock.mockRestore();
  const now = performance.now.bind(performance);
  let later = 0;
  const time = vi.spyOn(performance, "now").mockImplementation(() => now() + later);
  onTestFinished(() => time.mockRestore());
  /** One beat, until what comes after the reaper is done. */
  const beaten = async (seconds: number) => {
    later += seconds * 1000;
    await database.query(
      `insert into limit_window (key, "endsAt", used) values ('past', now() - interval '1 hour', 1)`,
    );
    beat();
    await vi.waitFor(async () => expect(await database.query("select 1 from limit_window")).toEqual([]), {
      timeout: 10_000,
    });
  };
  const silent = () =>
    database.query(
      `insert into instance (id, "seenAt") values ('other', now() - interval '40 s') on conflict (id) do nothing`,
    );
  await silent();
  await beaten(10);
  expect(await isKnown("other")).toBe(false);
  await silent();
  // The store was lost for 40 s.
  await beaten(40);
  expect(await isKnown("other")).toBe(true);
  await beaten(10);
  expect(await isKnown("other")).toBe(true);
  await beaten(10);
  expect(await isKnown("other")).toBe(false);
});
