import { expect, test } from "vitest";
import type { Pause } from "@/lib/access/model/configuration";
import { explained, pause } from "@/test/access/explained";

/** Why `x:t`, of source `x`, is hidden from the agent `bot`; `null` when it is not. */
const hiddenBy = (...pauses: readonly Pause[]) => explained({ pauses, request: { agent: "bot" } }).reason;

test("a pause stops what it names, and nothing that only has the same name", () => {
  expect(hiddenBy(pause("all", null))).toBe("paused");
  expect(hiddenBy(pause("source", "x"))).toBe("paused");
  expect(hiddenBy(pause("agent", "bot"))).toBe("paused");
  expect(hiddenBy(pause("source", "bot"), pause("agent", "x"))).toBeNull();
  expect(hiddenBy(pause("source", null), pause("agent", null))).toBeNull();
});
