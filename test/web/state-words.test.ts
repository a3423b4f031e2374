import { expect, test } from "vitest";
import { stateInWords, transitionInWords } from "@/components/executions/state-words";
import { UNDEFINED_STATE } from "@/lib/access/model/configuration";

test("the state before the first transition is said in words, never as its value", () => {
  expect(stateInWords(UNDEFINED_STATE)).toBe("before the first transition");
  expect(stateInWords(UNDEFINED_STATE, "ticket-desk")).toBe("before the first transition");
  expect(stateInWords(UNDEFINED_STATE, null)).toBe("no state machine");
  expect(stateInWords(null)).toBe("—");
  expect(transitionInWords(UNDEFINED_STATE, "triage")).toBe("before the first transition → triage");
  expect(transitionInWords("triage", "triage")).toBe("triage");
});
