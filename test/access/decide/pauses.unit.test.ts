import { expect, test } from "vitest";
import type { Pause } from "@/lib/access/model/configuration";
import { explained, pause } from "@/test/access/explained";

/** The reason why `x:t`, of source `x`, is hidden from the agent `bot`; `null` when it is visible. */
const hiddenBy = (...pauses: readonly Pause[]) => explained({ pauses, request: { agent: "bot" } }).reason;

test("a pause stops its own source or agent, not another kind with the same name", () => {
  expect(hiddenBy(pause("all", null))).toBe("paused");
  expect(hiddenBy(pause("source", "x"))).toBe("paused");
  expect(hiddenBy(pause("agent", "bot"))).toBe("paused");
  expect(hiddenBy(pause("source", "bot"), pause("agent", "x"))).toBeNull();
  expect(hiddenBy(pause("source", null), pause("agent", null))).toBeNull();
});
