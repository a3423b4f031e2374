import { expect, it, onTestFinished } from "vitest";
import { endBackground } from "@/lib/server/background";
import { builtinTool } from "@/lib/calls/builtin/index";
import { registerRunning } from "@/lib/calls/queue/running";
import { startJob } from "@/test/support/jobs/start-job";

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
