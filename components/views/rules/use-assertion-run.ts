import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { AssertionRunOutput } from "@/lib/contracts/decisions/assertion-run";

/** Runs all assertions on the configuration in force. All components on the page share one run. */
export function useAssertionRun(): UseQueryResult<AssertionRunOutput> {
  return useQuery({
    queryKey: ["assertions", "run"],
    queryFn: ({ signal }) =>
      request<AssertionRunOutput>("/api/admin/assertions/run", { method: "POST", body: {}, signal }),
    staleTime: 0,
  });
}
