import type { Configuration, Tool } from "@/lib/access/model/configuration";
import type { FlowRule } from "@/lib/access/model/flow";
import { isBrokenSelector, selectorMatches } from "@/test/access/oracle/groups";

/** Step 6: the active, enforced rules that hide the tool from a caller with these labels. */
export function hidingRules({ flows }: Configuration, labels: readonly string[], tool: Tool): readonly FlowRule[] {
  return flows.filter(
    (rule) =>
      rule.active &&
      rule.mode === "enforce" &&
      rule.effect === "hide" &&
      rule.when.every((label) => labels.includes(label)) &&
      restricts(rule, tool),
  );
}

/** A selector that cannot be read restricts every tool, and so does a restriction that names nothing. */
function restricts({ restrict }: FlowRule, tool: Tool): boolean {
  return restrict.some(({ is, tool: id, selector }) => {
    if (is !== null)
      return (
        tool.flow?.is.includes(is) === true ||
        tool.flowGuess?.some(({ kind, word }) => kind === "is" && word === is) === true
      );
    if (id !== null) return id === tool.id;
    return selector === null || isBrokenSelector(selector) || selectorMatches(selector, tool);
  });
}
