import { useGet } from "@/components/resource/use-get";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import type { Page } from "@/lib/contracts/changes/list";

/** The newest calls that fit some of the log's filters, and how many there are. */
export function useLatestCalls(filters: Readonly<Record<string, string>>, limit: number) {
  const search = new URLSearchParams({ ...filters, limit: String(limit) });
  return useGet<Page<ExecutionRow>>(["executions", "latest", search.toString()], `/api/admin/executions?${search}`, {
    staleTime: 0,
  });
}
