import { useCan } from "@/components/resource/who";
import type { CallerVisibility } from "@/lib/contracts/decisions/callers";

type Caller = Pick<CallerVisibility, "kind" | "name" | "callId">;

/**
 * The address of the preview as this caller, with one tool explained. Only people who may read bodies get the inputs of a
 * logged call.
 */
export function usePreviewHref({ kind, name, callId }: Caller, tool?: string): string | null {
  const mayReadBodies = useCan("executions:bodies");
  const explained = tool === undefined ? {} : { tool };
  if (kind !== "caller") return `/admin/preview?${new URLSearchParams({ [kind]: name, ...explained })}`;
  if (callId === null || !mayReadBodies) return null;
  return `/admin/preview?${new URLSearchParams({ execution: callId, ...explained })}`;
}
