import { expect, test } from "vitest";
import { machineStateInWords, stateInWords, transitionInWords } from "@/components/executions/state-words";
import { UNDEFINED_STATE } from "@/lib/access/model/configuration";

test("the state before the first transition is shown in words, never as its value", () => {
  expect(stateInWords(UNDEFINED_STATE)).toBe("none yet");
  expect(stateInWords(UNDEFINED_STATE, "ticket-desk")).toBe("none yet");
  expect(stateInWords(UNDEFINED_STATE, null)).toBe("no state machine");
  expect(stateInWords(null)).toBe("—");
  expect(machineStateInWords(null, UNDEFINED_STATE)).toBe("no state machine");
  expect(machineStateInWords(null, "paid")).toBe("paid (no state machine)");
  expect(machineStateInWords("ticket-desk", "triage")).toBe("ticket-desk: triage");
});

test("an arrow stands for a change, which only a successful call makes", () => {
  const words = (stateBefore: string, stateAfter: string | null, status: "succeeded" | "denied" | "pending") =>
    transitionInWords({ stateBefore, stateAfter, status });
  expect(words(UNDEFINED_STATE, "triage", "succeeded")).toBe("none yet → triage");
  expect(words("triage", "triage", "succeeded")).toBe("triage");
  expect(words(UNDEFINED_STATE, UNDEFINED_STATE, "succeeded")).toBe("—");
  expect(words("triage", null, "pending")).toBe("triage");
  expect(words("looked-up", "start", "denied")).toBe("start");
});
