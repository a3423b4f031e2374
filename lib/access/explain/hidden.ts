import type { Index } from "@/lib/access/compile/compile";
import { toolAt } from "@/lib/access/decide/entries";
import { makePlan, type Plan } from "@/lib/access/decide/plan";
import {
  STEPS,
  type FunnelStep,
  type HiddenTool,
  type ResolveRequest,
  type Step,
} from "@/lib/access/decide/resolution";
import { firstFailure, type Withheld } from "@/lib/access/explain/steps";

/**
 * Every hidden tool with the step that hides it and one reason code, in output order
 * (docs/reference/decision.md#explanation).
 */
export function reasons(index: Index, request: ResolveRequest, now: number): readonly HiddenTool[] {
  const plan = makePlan(index, request, now);
  const hidden: HiddenTool[] = [];
  for (let tool = 0; tool < index.tools.all.length; tool += 1) {
    const failure = firstFailure(plan, tool);
    if (failure !== null) hidden.push(hiddenTool(index, tool, failure));
  }
  return hidden;
}

/** One object per tool and reason, which all callers share. */
function hiddenTool(index: Index, number: number, { decidedBy, reason }: Withheld): HiddenTool {
  const { hidden } = index.memory;
  const known = hidden.get(reason) ?? [];
  hidden.set(reason, known);
  return (known[number] ??= Object.freeze({ tool: toolAt(index, number), decidedBy, reason }));
}

/** How many of the tools that reach each step pass it. */
export function funnelOf(plan: Plan): readonly FunnelStep[] {
  const size = plan.index.tools.all.length;
  const dropped = new Map<Step, number>();
  for (let tool = 0; tool < size; tool += 1) {
    const failure = firstFailure(plan, tool);
    if (failure !== null) dropped.set(failure.decidedBy, (dropped.get(failure.decidedBy) ?? 0) + 1);
  }
  let before = size;
  return STEPS.map((name) => {
    const after = before - (dropped.get(name) ?? 0);
    const step = { name, before, after };
    before = after;
    return step;
  });
}
