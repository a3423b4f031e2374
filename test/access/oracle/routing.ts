import { ALL, UNGROUPED, type Configuration } from "@/lib/access/model/configuration";
import type { ResolveRequest, RoutingMode } from "@/lib/access/decide/resolution";

/** Step 8: the mode, and the groups kept (`null` = all). */
export function routingOf(
  configuration: Configuration,
  request: ResolveRequest,
): { readonly mode: RoutingMode; readonly tier: readonly string[] | null } {
  const { high, medium, mode, resolutionGroups, alwaysGroups } = configuration.settings.routing;
  const full = { mode: "full", tier: null } as const;
  const intent = configuration.intents.find(({ name }) => name === request.intent);
  if (intent === undefined || intent.name === "UNKNOWN" || request.escalated || intent.groups.includes(ALL))
    return full;
  const confidence = request.confidence ?? 0;
  const kept = [...intent.groups, ...alwaysGroups];
  if (confidence >= high) return { mode: intent.groups.length === 0 ? "none" : "restricted", tier: tierOf(kept) };
  if (confidence >= medium || mode === "strict")
    return { mode: "restricted_with_resolution", tier: tierOf([...kept, ...resolutionGroups]) };
  return full;
}

function tierOf(groups: readonly string[]): readonly string[] {
  return [...new Set(groups)].filter((name) => name !== UNGROUPED).toSorted();
}
