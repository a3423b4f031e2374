import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { GRACE_MS, MEMORY_MIB } from "@/lib/sandbox/thread";
import { Sandbox } from "@/lib/sandbox/sandbox";

// A script's limit of computing time (docs/reference/promises.md#sandbox) does not count its waits for the tools that
// it calls.

const CPU_MS = 1_000;
/** Longer than the script's limit and the grace period together. */
const TOOL_MS = CPU_MS + 500;
const sandbox = new Sandbox();
afterAll(() => sandbox.close());

const run = (code: string) =>
  sandbox.run({
    code,
    args: "{}",
    cpuMs: CPU_MS,
    nested: false,
    signal: new AbortController().signal,
    callTool: async () => {
      await delay(TOOL_MS);
      return { ok: true, output: 42 } as const;
    },
    print: () => {},
  });

it("a script's limits are the promised ones", () => {
  const promised = readFileSync("docs/reference/promises.md", "utf8");
  expect(promised).toContain(`1 s CPU, killed within ${GRACE_MS} ms; ${MEMORY_MIB} MiB;`);
});

it("a script that waits for its tools longer than its limit gets their answers", async () => {
  const verdict = await run(
    `export default async (args, { callTool }) => {
      const [one, two] = await Promise.all([callTool("slow"), callTool("slow")]);
      return one + two + await callTool("slow");
    };`,
  );
  expect(verdict).toEqual({ ok: true, output: "126" });
});

it("computing after a wait counts towards the limit", async () => {
  const verdict = await run(`export default async (args, { callTool }) => { await callTool("slow"); for (;;); };`);
  expect(verdict).toMatchObject({ ok: false, code: "sandbox_timeout" });
});
