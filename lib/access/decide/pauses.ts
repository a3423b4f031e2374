import type { Pause, Tool } from "@/lib/access/model/configuration";
import type { Plan } from "@/lib/access/decide/plan";

/** The pauses that stop a tool for this caller; none under `includeDisabled`. */
export function pausesOn({ index, request }: Plan, tool: Tool): readonly Pause[] {
  if (request.includeDisabled) return [];
  return index.config.pauses.filter(
    ({ scope, target }) =>
      scope === "all" || (target !== null && (scope === "source" ? target === tool.source : target === request.agent)),
  );
}
