import { UNDEFINED_STATE } from "@/lib/access/model/configuration";
import type { ExecutionRow } from "@/lib/contracts/log/execution";

/**
 * A state for display. `machine` is the caller's state machine; `null` without one, absent where it is not known.
 */
export function stateInWords(state: string | null, machine?: string | null): string {
  if (state === null) return "—";
  if (state !== UNDEFINED_STATE) return state;
  return machine === null ? "no state machine" : "none yet";
}

/** A caller's state machine with its state: `ticket-desk: triage`. Without a machine, a tool may still set a state. */
export function machineStateInWords(machine: string | null, state: string): string {
  const words = stateInWords(state, machine);
  if (machine !== null) return `${machine}: ${words}`;
  return state === UNDEFINED_STATE ? words : `${words} (no state machine)`;
}

/**
 * A call's change of state: `triage → refund`; one state when it stayed; a dash when there was none. Only a successful
 * call changes the state. Another call was accepted in the first state and decided again in the second.
 */
export function transitionInWords({
  stateBefore: before,
  stateAfter: after,
  status,
}: Pick<ExecutionRow, "stateBefore" | "stateAfter" | "status">): string {
  const last = after ?? before;
  if (status !== "succeeded" || last === before) return last === UNDEFINED_STATE ? "—" : stateInWords(last);
  return `${stateInWords(before)} → ${stateInWords(after)}`;
}
