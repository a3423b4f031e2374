import { useGet } from "@/components/resource/use-get";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import type { Page } from "@/lib/contracts/changes/list";

/** The newest calls that match these filters of the log, with their total. */
export function useLatestCalls(filters: Readonly<Record<string, string>>, limit: number, enabled = true) {
  const search = new URLSearchParams({ ...filters, limit: String(limit) });
  return useGet<Page<ExecutionRow>>(["executions", "latest", search.toString()], `/api/admin/executions?${search}`, {
    staleTime: 0,
    enabled,
  });
}
