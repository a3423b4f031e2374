import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { JsonObject } from "@/lib/access/model/configuration";
import { builtinTool, builtinTools } from "@/lib/calls/builtin/index";
import { CostlySchema, SchemaTrials, sharedSchemaTrials } from "@/lib/calls/schemas/schema-trial";
import { problemsOf } from "@/lib/calls/schemas/validators";

const BUNDLE = join(process.cwd(), "dist/schema-worker.mjs");
const GOOD: JsonObject = { type: "object", properties: { a: { type: "number" } } };

/** References that double at every step, so that a check takes for ever. */
const CHECKED_FOR_EVER: JsonObject = {
  $ref: "#/$defs/a0",
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, at) => {
      const next = { $ref: `#/$defs/a${at + 1}` };
      return [`a${at}`, at === 40 ? { type: "number" } : { allOf: [next, next] }];
    }),
  ),
};

/** Short patterns that compile to millions of instructions, so that compiling takes for ever. */
const COMPILED_FOR_EVER: JsonObject = {
  properties: Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`p${at}`, { pattern: "\\p{L}{900}".repeat(90) }]),
  ),
};

afterEach(() => {
  sharedSchemaTrials().close();
});

function ownTrials(file?: string): SchemaTrials {
  const trials = new SchemaTrials(file);
  onTestFinished(() => trials.close());
  return trials;
}

describe("a schema on its trial", () => {
  it("is cached, whether or not the value fits", async () => {
    const trials = ownTrials();
    const schemas = builtinTools().flatMap((tool) => [tool.inputSchema, tool.outputSchema ?? {}]);
    for (const schema of [GOOD, ...schemas] as JsonObject[])
      await expect(trials.check(schema, { a: "x" })).resolves.toMatchObject({ how: "checked" });
  });

  it("is cached when only the value cannot be checked", async () => {
    const asked = ownTrials().check({ pattern: "^(a{0,500}b?)*$" }, "a".repeat(200 * 1024));
    await expect(asked).resolves.toMatchObject({ how: "uncheckable" });
  });

  it("is refused in a sentence when it cannot be used", async () => {
    const refused = ownTrials().check({ $ref: "https://example.com/schema" }, {});
    await expect(refused).rejects.toThrow("another document");
    await expect(refused).rejects.not.toBeInstanceOf(CostlySchema);
  });

  it.each([
    ["is checked", CHECKED_FOR_EVER, "x"],
    ["is compiled", COMPILED_FOR_EVER, {}],
  ])("that %s for ever is stopped, and this thread is not blocked meanwhile", async (_what, schema, value) => {
    const trials = ownTrials();
    await trials.check(GOOD, {});
    let ticks = 0;
    const clock = setInterval(() => (ticks += 1), 5);
    onTestFinished(() => clearInterval(clock));
    await expect(trials.check(schema, value)).rejects.toThrow("takes longer than 250 ms");
    // 500 ms, and a thread started between: a thread that is held up ticks not even twice.
    expect(ticks).toBeGreaterThan(25);
    await trials.check(GOOD, {});
  });

  it("waits for its turn, and is refused when too many wait", async () => {
    const trials = ownTrials();
    const asked = await Promise.allSettled(Array.from({ length: 65 }, () => trials.check(GOOD, {})));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(64);
    expect(asked.at(-1)).toMatchObject({ status: "rejected", reason: { code: "overloaded" } });
    await trials.check(GOOD, {});
  });
});

describe("the thread", () => {
  it.each([
    ["is not there", () => "/nowhere/schema-worker.mjs"],
    ["ends at once", () => threadOf("process.exit(1)")],
  ])("that %s accepts no schema", async (_what, fileOf) => {
    await expect(ownTrials(fileOf()).check(GOOD, {})).rejects.toMatchObject({ code: "internal" });
  });

  it("that breaks is replaced, and the schema is tried again", async () => {
    const file = threadOf(
      `import { existsSync, writeFileSync } from "node:fs";
       const broke = new URL("broke", import.meta.url);
       if (!existsSync(broke)) { writeFileSync(broke, ""); throw new Error("broken once"); }
       await import(${JSON.stringify(pathToFileURL(BUNDLE).href)});`,
    );
    await expect(ownTrials(file).check(GOOD, {})).resolves.toMatchObject({ how: "checked", problems: [] });
  });

  it("gets its answer before the timeout, however busy this thread is", async () => {
    const file = threadOf(
      `import { existsSync, writeFileSync } from "node:fs";
       import { parentPort } from "node:worker_threads";
       const [started, began, answered] = ["started", "began", "answered"].map((name) => new URL(name, import.meta.url));
       const problems = existsSync(started) ? [{ pointer: "", message: "a second thread" }] : [];
       writeFileSync(started, "");
       parentPort.on("message", () => {
         writeFileSync(began, "");
         parentPort.postMessage({ kind: "began" });
         setTimeout(() => {
           parentPort.postMessage({ kind: "ended", how: "checked", problems, compileMs: 1 });
           writeFileSync(answered, "");
         }, 400);
       });`,
    );
    const trials = ownTrials(file);
    // Once the thread has begun, this one is held until the time is over and the answer is there.
    const held = new Int32Array(new SharedArrayBuffer(4));
    const is = (name: string) => existsSync(join(dirname(file), name));
    const hold = () => {
      Atomics.wait(held, 0, 0, 300);
      if (is("began")) while (!is("answered")) Atomics.wait(held, 0, 0, 10);
      busy = setImmediate(hold);
    };
    let busy = setImmediate(hold);
    onTestFinished(() => clearImmediate(busy));
    expect(await trials.check(GOOD, {})).toMatchObject({ problems: [] });
  });

  it("keeps no process from ending", () => {
    const script = `import("./lib/calls/schemas/schema-trial.ts").then(async ({ SchemaTrials }) => {
      await new SchemaTrials().check({ type: "object" }, {});
      console.log("stood");
    });`;
    const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", "--eval", script], {
      encoding: "utf8",
      timeout: 15_000,
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "stood\n" });
  });
});

describe("a tool's schema", () => {
  const toolOf = (definitionHash: string, inputSchema: JsonObject) => ({
    definitionHash,
    inputSchema,
    outputSchema: null,
  });

  /** Counts the trials, which report this time to compile. Checks in this thread take no time. */
  function trialsWith(compileMs: number) {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { check } = SchemaTrials.prototype;
    const counted = vi.spyOn(sharedSchemaTrials(), "check");
    counted.mockImplementation(async (...asked) => ({
      ...(await check.apply(sharedSchemaTrials(), asked)),
      compileMs,
    }));
    onTestFinished(() => counted.mockRestore());
    return counted;
  }

  it.each([
    ["is tried once", 30, 1],
    ["is never compiled here when that takes long", 31, 2],
  ])("of an upstream %s", async (_what, compileMs, trials) => {
    const check = trialsWith(compileMs);
    const tool = toolOf(randomUUID(), GOOD);
    expect(await problemsOf({ a: 1 }, tool, "inputSchema", undefined)).toEqual([]);
    expect(await problemsOf({ a: "x" }, tool, "inputSchema", undefined)).toHaveLength(1);
    expect(check).toHaveBeenCalledTimes(trials);
  });

  it("of our own is not tried", async () => {
    const check = vi.spyOn(sharedSchemaTrials(), "check");
    onTestFinished(() => check.mockRestore());
    const own = builtinTool("builtin:calculate");
    const tool = toolOf("our-own", own?.inputSchema ?? {});
    expect(await problemsOf({}, tool, "inputSchema", own)).toHaveLength(1);
    expect(check).not.toHaveBeenCalled();
  });

  it("that was too costly is refused for a minute, then tried again", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const check = vi.spyOn(sharedSchemaTrials(), "check");
    onTestFinished(() => check.mockRestore());
    const ask = () => problemsOf("x", toolOf("too-costly", CHECKED_FOR_EVER), "inputSchema", undefined);
    await expect(ask()).rejects.toThrow("takes longer than");
    await expect(ask()).rejects.toThrow("takes longer than");
    expect(check).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(60_000);
    await expect(ask()).rejects.toThrow("takes longer than");
    expect(check).toHaveBeenCalledTimes(2);
  });

  it("that could not be tried is tried at the next call", async () => {
    const check = vi.spyOn(sharedSchemaTrials(), "check");
    onTestFinished(() => check.mockRestore());
    const waiting = Array.from({ length: 64 }, () => sharedSchemaTrials().check(GOOD, {}));
    const ask = () => problemsOf({ a: 1 }, toolOf("tried-later", GOOD), "inputSchema", undefined);
    await expect(ask()).rejects.toMatchObject({ code: "overloaded" });
    await Promise.all(waiting);
    expect(await ask()).toEqual([]);
  });
});

/** A file with a thread of this code, as long as the test runs. */
function threadOf(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), "schema-thread-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "thread.mjs");
  writeFileSync(file, code);
  return file;
}
