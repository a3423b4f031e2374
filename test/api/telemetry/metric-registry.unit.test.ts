import { describe, expect, it, onTestFinished, vi } from "vitest";
import { metrics } from "@/lib/telemetry/metrics";
import { toPrometheus } from "@/lib/telemetry/prometheus";
import { MAX_SERIES, OTHER, Registry, type Metric } from "@/lib/telemetry/registry";
import { readScrape } from "@/test/support/prometheus-text";
import { kept } from "@/test/support/vitest/end-modules";

describe("a metric", () => {
  it("has so many series and no more: the rest is counted together", async () => {
    const registry = new Registry();
    const tally = registry.counter("many", "Many.", ["tool"]);
    for (let n = 0; n < MAX_SERIES + 10; n += 1) tally.of({ tool: `t${n}` }).add();
    tally.of({ tool: "t0" }).add();
    const read = readScrape(toPrometheus(await registry.collect()));
    expect(read.samples).toHaveLength(MAX_SERIES + 1);
    expect(read.value("many_total", { tool: OTHER })).toBe(10);
    expect(read.value("many_total", { tool: "t0" })).toBe(2);
  });

  it("is written so that it reads the same again, whatever its labels hold", async () => {
    const registry = new Registry();
    const tool = 'a"b\\c\nd{e="f"},g';
    registry.counter("odd", "Odd \\ help\nin two lines.", ["tool"]).of({ tool }).add(1.5);
    const times = registry.histogram("times", "Times.", [], [1, 10]);
    for (const value of [0.5, 1, 1.1, 10, 11]) times.of({}).record(value);
    const read = readScrape(toPrometheus(await registry.collect()));
    expect(read.value("odd_total", { tool })).toBe(1.5);
    expect(["1", "10", "+Inf"].map((le) => read.value("times_bucket", { le }))).toEqual([2, 4, 5]);
    expect([read.value("times_sum"), read.value("times_count")]).toEqual([23.6, 5]);
  });

  it("is one per process, whichever bundle counts", () => {
    const own = metrics();
    expect(kept.quartermaster?.["Metrics"]).toBe(own);
  });

  it("a hanging reader delays a scrape by one second and is read once, however many scrapes wait", async () => {
    const registry = new Registry();
    let asked = 0;
    registry.reads("hangs", () => {
      asked += 1;
      return new Promise(() => {});
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const collected = vi.fn<(metrics: readonly Metric[]) => void>();
    const scrapes = [registry.collect(), registry.collect()].map((scrape) => scrape.then(collected));
    await vi.advanceTimersByTimeAsync(999);
    expect(collected).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(scrapes);
    expect(collected.mock.calls).toEqual([[[]], [[]]]);
    expect(asked).toBe(1);
  });
});
