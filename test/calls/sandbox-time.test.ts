import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { Sandbox } from "@/lib/sandbox/sandbox";

// What a script may compute (docs/reference/promises.md#sandbox) is not spent by waiting for the tools that it calls.

const CPU_MS = 1_000;
/** Longer than a script may compute, and than it is given until it is killed. */
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

it("a script that waits for its tools longer than it may compute has its answer", async () => {
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
