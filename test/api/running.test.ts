import { expect, it } from "vitest";
import { cancelHere, running } from "@/lib/tools/running";
import { useDatabase } from "@/test/support/database";

useDatabase();

it("a call that is cancelled stays so for the run that begins after its door has left, while the queue has it", () => {
  const atDoor = running("call_1");
  const atQueue = running("call_1");
  cancelHere("call_1");
  atDoor();
  const run = new AbortController();
  const ended = running("call_1", run);
  expect(run.signal.reason).toMatchObject({ code: "cancelled" });
  ended();
  atQueue();
});

it("whoever comes first may leave first: what is said afterwards reaches the rest", () => {
  const atDoor = running("call_1");
  const run = new AbortController();
  const ended = running("call_1", run);
  atDoor();
  cancelHere("call_1");
  expect(run.signal.aborted).toBe(true);
  ended();
});

it("a call that has ended is forgotten: another of its id is not cancelled", () => {
  running("call_1")();
  cancelHere("call_1");
  const run = new AbortController();
  const ended = running("call_1", run);
  expect(run.signal.aborted).toBe(false);
  ended();
});
