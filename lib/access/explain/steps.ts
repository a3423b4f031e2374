import { hasBit } from "@/lib/access/model/bitset";
import type { Gate, Plan } from "@/lib/access/decide/plan";
import { STEPS, type Reason, type Step } from "@/lib/access/decide/resolution";
import { judgeGroupSet } from "@/lib/access/compile/group-sets";

/** Why one step withholds a tool (by number); `null` when the tool passes. Each step is judged independently. */
export function judgeStep(plan: Plan, step: Step, tool: number): Reason | null {
  const { tools, groups } = plan.index;
  switch (step) {
    case "policy":
      if (plan.stopped) return "paused";
      return firstClosed(plan.gates.policy, tool) ?? judgePolicy(plan, tool);
    case "group":
      return judgeGroupSet(plan, groups.groupSetOf[tool] ?? 0).group;
    case "request":
      return judgeGroupSet(plan, groups.groupSetOf[tool] ?? 0).request;
    case "capability":
      return plan.isCapable(tools.needOf[tool] ?? 0) ? null : "capability_missing";
    default:
      return firstClosed(plan.gates[step], tool);
  }
}

/** The steps that do not read the tool's groups: they decide whether a requestable tool would be visible. */
const LATER = STEPS.filter((step) => step !== "policy" && step !== "group" && step !== "request");

/** Requestable: only the missing grant hides the tool, so every later step must let it through. */
function judgePolicy(plan: Plan, tool: number): Reason | null {
  const { policy, requestable } = judgeGroupSet(plan, plan.index.groups.groupSetOf[tool] ?? 0);
  const isRequestable = requestable && LATER.every((step) => judgeStep(plan, step, tool) === null);
  return isRequestable ? "access_requestable" : policy;
}

function firstClosed(gates: readonly Gate[], tool: number): Reason | null {
  for (const gate of gates) if (!hasBit(gate.passing, tool)) return gate.reason;
  return null;
}

/** The step and the reason that hide a tool. */
export interface Withheld {
  readonly decidedBy: Step;
  readonly reason: Reason;
}

/** The first step that withholds a tool, or `null` when it is visible. */
export function firstFailure(plan: Plan, tool: number): Withheld | null {
  for (const step of STEPS) {
    const reason = judgeStep(plan, step, tool);
    if (reason !== null) return { decidedBy: step, reason };
  }
  return null;
}
