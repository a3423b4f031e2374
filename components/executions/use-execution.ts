import { adminPath } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import type { ExecutionDetail } from "@/lib/contracts/log/execution";

/**
 * One execution, with its bodies where the role may read them.
 *
 * @param again milliseconds until the next read, computed from the last one; absent: one read
 */
export function useExecution(callId: string, again?: (execution: ExecutionDetail) => number | false) {
  return useGet<ExecutionDetail>(["executions", "row", callId], adminPath("executions", callId), {
    // The server logs every read of bodies, so do not refetch on focus.
    refetchOnWindowFocus: false,
    ...(again !== undefined && {
      refetchInterval: ({ state: { data } }: { state: { data?: ExecutionDetail | undefined } }) =>
        data === undefined ? false : again(data),
    }),
  });
}
