import { queryOptions, useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

/**
 * The query for the tools that an agent sees in a state of its machine, where `null` = the initial state, and with a
 * request for these groups, where `null` = all.
 */
export function agentToolsQuery(agent: string, state: string | null, group: readonly string[] | null = null) {
  return queryOptions({
    queryKey: ["preview", "agent", agent, state, group],
    // A policy that was saved a moment ago counts.
    staleTime: 0,
    queryFn: ({ signal }) =>
      request<PreviewOutput>("/api/admin/preview", { method: "POST", body: { agent, state, group }, signal }),
  });
}

/** The tools that an agent sees in a state of its machine. */
export function useAgentTools(agent: string, state: string | null) {
  return useQuery(agentToolsQuery(agent, state));
}
