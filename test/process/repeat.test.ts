import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { repeat } from "@/lib/process/repeat";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work whose runs end when the test says so. */
function controlled() {
  const ends: (() => void)[] = [];
  const run = vi.fn<() => Promise<void>>(() => new Promise<void>((resolve) => ends.push(resolve)));
  const end = async () => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { run, end };
}

it("runs once per period, counted from start to start", async () => {
  const { run, end } = controlled();
  const { stop } = repeat(run, { everyMs: 1_000 });
  await vi.advanceTimersByTimeAsync(999);
  expect(run).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(300);
  await end();
  await vi.advanceTimersByTimeAsync(699);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
  await Promise.all([stop(), end()]);
});

it("never runs twice at once: a run that takes longer than the period skips the missed starts", async () => {
  const { run, end } = controlled();
  const { stop } = repeat(run, { everyMs: 1_000 });
  await vi.advanceTimersByTimeAsync(3_500);
  expect(run).toHaveBeenCalledTimes(1);
  await end();
  await vi.advanceTimersByTimeAsync(499);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
  await Promise.all([stop(), end()]);
});

it("runs at once when woken, and again after a run during which it was woken", async () => {
  const { run, end } = controlled();
  const { stop, wake } = repeat(run, { everyMs: 60_000 });
  wake();
  await vi.advanceTimersByTimeAsync(0);
  wake();
  wake();
  expect(run).toHaveBeenCalledTimes(1);
  await end();
  expect(run).toHaveBeenCalledTimes(2);
  await end();
  await vi.advanceTimersByTimeAsync(59_999);
  expect(run).toHaveBeenCalledTimes(2);
  await stop();
});

it("continues after a run that failed", async () => {
  const run = vi.fn<() => Promise<never>>(() => Promise.reject(new Error("lost")));
  const { stop } = repeat(run, { everyMs: 1_000 });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(run).toHaveBeenCalledTimes(2);
  await stop();
});

it("shortens pauses by its jitter: the first by up to the whole, later ones by up to a tenth", async () => {
  const run = vi.fn<() => Promise<void>>(async () => {});
  const { stop } = repeat(run, { everyMs: 1_000, jitter: () => 0.5 });
  await vi.advanceTimersByTimeAsync(500);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(949);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
  await stop();
});

it("ends after the present run, and runs no more although it was woken", async () => {
  const { run, end } = controlled();
  const { stop, wake } = repeat(run, { everyMs: 1_000 });
  wake();
  await vi.advanceTimersByTimeAsync(0);
  wake();
  let isStopped = false;
  const stopped = stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(isStopped).toBe(false);
  await end();
  await stopped;
  wake();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(run).toHaveBeenCalledTimes(1);
});
