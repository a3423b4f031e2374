import { expect, it, vi } from "vitest";
import { backgroundRuns, requireWanted, type BackgroundRun } from "@/lib/admin/background-runs";

// Work off the request path: what a process remembers of it (lib/admin/background-runs.ts).

let kinds = 0;

function find(isReusable?: (result: string) => boolean) {
  kinds += 1;
  const describeFailure = (error: unknown) => (error as Error).message;
  return backgroundRuns<string>({
    name: `TestRuns${kinds}`,
    resultMs: 1_000,
    unwantedMs: 100,
    describeFailure,
    ...(isReusable && { isReusable }),
  });
}

const ended = (run: BackgroundRun<string>) => vi.waitUntil(() => run.result ?? run.failure);

it("runs once for a key, until its result is too old", async () => {
  const [runs, work] = [find(), vi.fn<() => Promise<string>>(async () => "made")];
  const run = runs("a", 0, work);
  expect(runs("a", 1, work)).toBe(run);
  expect(await ended(run)).toBe("made");
  expect(runs("a", 999, work)).toBe(run);
  expect(runs("b", 999, work)).not.toBe(run);
  expect(runs("a", 1_000, work)).not.toBe(run);
});

it("runs one after the other", async () => {
  const runs = find();
  const order: string[] = [];
  let finish = () => {};
  const gate = new Promise<void>((resolve) => (finish = resolve));
  runs("a", 0, async () => {
    await gate;
    order.push("a");
    return "a";
  });
  const second = runs("b", 0, async () => {
    order.push("b");
    return "b";
  });
  finish();
  await ended(second);
  expect(order).toEqual(["a", "b"]);
});

it("tells a failure once, and then starts again", async () => {
  const [runs, work] = [find(), vi.fn<() => Promise<string>>(async () => "made")];
  work.mockRejectedValueOnce(new Error("broke"));
  const run = runs("a", 0, work);
  expect(await ended(run)).toBe("broke");
  expect(runs("a", 1, work)).toBe(run);
  const again = runs("a", 2, work);
  expect(again).not.toBe(run);
  expect(await ended(again)).toBe("made");
});

it("forgets a run that nobody wants, and a result that is not reusable", async () => {
  const runs = find((result) => result !== "empty");
  const left = vi.fn<(run: BackgroundRun<string>) => Promise<string>>(async (own) => {
    requireWanted(own, 101);
    return "never";
  });
  const run = runs("a", 0, left);
  await vi.waitUntil(() => left.mock.calls.length === 1);
  await ended(runs("b", 0, async () => "empty"));
  expect(run.failure).toBeNull();
  const next = runs("a", 1, async () => "made");
  expect(next).not.toBe(run);
  expect(await ended(next)).toBe("made");
  const empty = runs("c", 0, async () => "empty");
  await ended(empty);
  expect(runs("c", 1, async () => "full")).not.toBe(empty);
});

it("refuses one more run while too many wait, so that all that are asked for in turn end", async () => {
  const runs = find();
  const work = vi.fn<() => Promise<string>>(async () => "made");
  let open = () => {};
  const gate = new Promise<string>((resolve) => (open = () => resolve("made")));
  const keys = Array.from({ length: 21 }, (_, number) => `key ${number}`);
  const waiting = keys.slice(0, 20).map((key) => runs(key, 0, async () => gate));
  expect(() => runs("key 20", 0, work)).toThrow(expect.objectContaining({ code: "overloaded" }));
  open();
  await Promise.all(waiting.map(ended));
  // All have ended, and the first is read: only that one makes room.
  expect(runs("key 0", 1, work).result).toBe("made");
  await ended(runs("key 20", 1, work));
  expect(keys.slice(1).map((key) => runs(key, 2, work).result)).toEqual(keys.slice(1).map(() => "made"));
  expect(work).toHaveBeenCalledTimes(1);
});

it("forgets ended runs that nobody came back for, before it refuses another", async () => {
  const runs = find();
  const work = async () => "made";
  await Promise.all(Array.from({ length: 20 }, (_, number) => ended(runs(`key ${number}`, 0, work))));
  expect(() => runs("next", 100, work)).toThrow(expect.objectContaining({ code: "overloaded" }));
  expect(await ended(runs("next", 101, work))).toBe("made");
});
