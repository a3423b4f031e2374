import { describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/errors";
import { Freshness } from "@/lib/store/snapshot/freshness";

interface World {
  /** What a load waits for, if anything. */
  loaded?: Promise<void>;
  revision: number;
  now: number;
  answers: boolean;
  loads: number;
  changed: (revision: number | null) => void;
}

/** A store whose clock and health a test decides on. */
function world(eager = true): { world: World; freshness: Freshness<{ revision: number }> } {
  const one: World = {
    revision: 1,
    now: 0,
    answers: true,
    loads: 0,
    changed: () => {},
  };
  const freshness = new Freshness({
    load: async () => {
      one.loads += 1;
      const { revision } = one;
      if (one.loaded !== undefined) await one.loaded;
      return { revision };
    },
    revision: async () => {
      if (!one.answers) throw new Error("lost");
      return one.revision;
    },
    listen: (changed) => {
      one.changed = changed;
      return () => {};
    },
    now: () => one.now,
    eager,
  });
  return { world: one, freshness };
}

describe("freshness", () => {
  it("loads once for any number of requests", async () => {
    const { world: one, freshness } = world();
    await Promise.all(Array.from({ length: 50 }, () => freshness.current()));
    expect(one.loads).toBe(1);
    freshness.close();
  });

  it("is trusted for exactly five seconds without the store, and recovers with it", async () => {
    const { world: one, freshness } = world();
    await freshness.current();
    one.answers = false;
    one.now = 5_000;
    expect((await freshness.current()).revision).toBe(1);
    one.now = 5_001;
    await expect(freshness.current()).rejects.toMatchObject({ code: "config_unavailable" });
    one.answers = true;
    expect((await freshness.current()).revision).toBe(1);
    freshness.close();
  });

  it("loads what a notice names, and waits for it", async () => {
    const { world: one, freshness } = world();
    await freshness.current();
    one.revision = 2;
    one.changed(2);
    expect((await freshness.current()).revision).toBe(2);
    one.revision = 3;
    freshness.note(3);
    expect((await freshness.current()).revision).toBe(3);
    freshness.close();
  });

  it("loads on notice when eager, otherwise at the next request", async () => {
    for (const eager of [true, false]) {
      const { world: one, freshness } = world(eager);
      await freshness.current();
      one.revision = 2;
      one.changed(2);
      freshness.note(2);
      expect(one.loads).toBe(eager ? 2 : 1);
      expect((await freshness.current()).revision).toBe(2);
      expect(one.loads).toBe(2);
      freshness.close();
    }
  });

  it("never answers a request for a revision with an older one", async () => {
    const { world: one, freshness } = world();
    await freshness.current();
    const asked = freshness.current(2);
    one.now = 2_001;
    await expect(asked).rejects.toMatchObject({ code: "config_unavailable" });
    freshness.close();
  });

  it.each([true, false])(
    "waits for a slow load of a known revision only while the store answers: %j",
    async (answers) => {
      vi.useFakeTimers();
      const { world: one, freshness } = world();
      await freshness.current();
      let finish = () => {};
      one.loaded = new Promise((resolve) => {
        finish = resolve;
      });
      one.revision = 2;
      freshness.note(2);
      const asked = freshness.current(2);
      const answered = asked.then(
        ({ revision }) => revision,
        (error: unknown) => (error instanceof AppError ? error.code : error),
      );
      // Longer than a request waits for a lost store, and than the value before is trusted.
      one.now = 6_000;
      one.answers = answers;
      await vi.advanceTimersByTimeAsync(6_000);
      if (answers) finish();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await answered).toBe(answers ? 2 : "config_unavailable");
      freshness.close();
      vi.useRealTimers();
    },
  );
});
