import { beforeAll, describe, expect, it } from "vitest";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { cancelHere, registerRunning, untilNoneRuns } from "@/lib/calls/queue/running";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";

useDatabase();

it("a call that is cancelled stays so for the run that begins after its request has ended, while the queue has it", () => {
  const atEndpoint = registerRunning("call_1");
  const atQueue = registerRunning("call_1");
  cancelHere("call_1");
  atEndpoint();
  const run = new AbortController();
  const ended = registerRunning("call_1", run);
  expect(run.signal.reason).toMatchObject({ code: "cancelled" });
  ended();
  atQueue();
});

it("a follower may leave first: later events reach the rest", () => {
  const atEndpoint = registerRunning("call_1");
  const run = new AbortController();
  const ended = registerRunning("call_1", run);
  atEndpoint();
  cancelHere("call_1");
  expect(run.signal.aborted).toBe(true);
  ended();
});

it("a call that has ended is forgotten: another of its id is not cancelled", () => {
  registerRunning("call_1")();
  cancelHere("call_1");
  const run = new AbortController();
  const ended = registerRunning("call_1", run);
  expect(run.signal.aborted).toBe(false);
  ended();
});

describe("a call whose answer its caller waits for", () => {
  const CALL = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
  let key: string;
  beforeAll(async () => {
    await save(supportDocument());
    key = await keyOf("reader");
  });

  it("does not run when it is cancelled while its intent is written, even before the store's answer", async () => {
    const { runners } = production();
    let ran = false;
    const deps = (): Dependencies => ({
      ...production(),
      writeIntent: async (intent, preconditions) => {
        const written = await production().writeIntent(intent, preconditions);
        cancelHere(intent.callId);
        return written;
      },
      runners: {
        ...runners,
        builtin: (input) => {
          ran = true;
          return runners.builtin(input);
        },
      },
    });
    const { json } = await new Client(key, deps).call(CALL);
    expect(json).toMatchObject({ status: "cancelled", error: { code: "cancelled" }, attempts: 0 });
    expect(ran).toBe(false);
  });

  it("a process that stops waits until its outcome is written, whether or not a caller waits", async () => {
    const happened: string[] = [];
    let none: Promise<void> | undefined;
    const deps = (): Dependencies => ({
      ...production(),
      writeOutcome: async (outcome, move) => {
        none = untilNoneRuns().then(() => void happened.push("none runs"));
        const state = await production().writeOutcome(outcome, move);
        happened.push("written");
        return state;
      },
    });
    await new Client(key, deps).call(CALL);
    await none;
    expect(happened).toEqual(["written", "none runs"]);
  });
});
