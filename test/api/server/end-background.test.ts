import { expect, it, onTestFinished, vi } from "vitest";
import { endBackground } from "@/lib/server/background";
import { builtinTool } from "@/lib/calls/builtin/index";
import { registerRunning } from "@/lib/calls/queue/running";
import { startJobs } from "@/lib/jobs/runner";
import { startJob } from "@/test/support/jobs/start-job";

process.env["LOG_LEVEL"] = "warn";

it("an ending process lets built-in tools release their resources after its running calls have ended", async () => {
  const calculate = builtinTool("builtin:calculate")! as { shutdown?: () => void };
  const happened: string[] = [];
  calculate.shutdown = () => void happened.push("the tool ends");
  onTestFinished(() => void delete calculate.shutdown);
  startJob("refusals");
  const stop = registerRunning("call_1");
  const ended = endBackground();
  setImmediate(() => {
    happened.push("the call ends");
    stop();
  });
  await ended;
  expect(happened).toEqual(["the call ends", "the tool ends"]);
});

it("an ending process logs a failure of its last work", async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  onTestFinished(() => write.mockRestore());
  const drain = () => {
    throw new Error("the last work fails");
  };
  startJobs([{ name: "failing", everyMs: 60_000, run: () => Promise.resolve(), drain }]);
  await endBackground();
  await expect.poll(() => lines.join("")).toContain("the last work fails");
});
