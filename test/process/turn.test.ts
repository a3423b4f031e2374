import { stat } from "node:fs";
import { describe, expect, it } from "vitest";
import { STAGE_MS, stage, turn } from "@/lib/process/turn";

/** Runs `work` in a pass of the event loop that began with input. */
function onInput<Made>(work: () => Promise<Made>): Promise<Made> {
  return new Promise((resolve, reject) => {
    stat(".", () => void work().then(resolve, reject));
  });
}

/** Whether a timer that is due since before `work` ends before it. */
async function letsOthersRun(work: () => Promise<unknown>): Promise<boolean> {
  let hasRun = false;
  setTimeout(() => (hasRun = true), 0);
  busyFor(2);
  await work();
  return hasRun;
}

function busyFor(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}

describe("a turn", () => {
  it("lets other work run before work that began with input continues", async () => {
    expect(await onInput(() => letsOthersRun(turn))).toBe(true);
  });

  it("follows a long stage, and the result of the stage is returned", async () => {
    const long = () => stage(() => busyFor(STAGE_MS + 1));
    expect(await onInput(() => letsOthersRun(long))).toBe(true);
    expect(await stage(() => "made")).toBe("made");
  });
});
