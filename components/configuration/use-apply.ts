import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Problem, request } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";
import type { ToastInput } from "@/components/ui/overlays/toast-list";
import type { ConfigPlan } from "@/lib/contracts/changes/config";

/** A document, and what it does with rows that it omits. */
export interface DocumentInput {
  readonly text: string;
  readonly mode: ConfigPlan["mode"];
}

/** Plans a document, and saves nothing. */
export function planOf({ text, mode }: DocumentInput, signal?: AbortSignal): Promise<ConfigPlan> {
  return request<ConfigPlan>(`/api/admin/config?dryRun=true&mode=${mode}`, { method: "PUT", document: text, signal });
}

/** The key of plans that follow their document by themselves. */
export const PLANS = ["config", "plan"];

interface ApplyOptions {
  readonly onApplied: () => unknown;
  /** Called when the document became a change request. */
  readonly onHeld?: () => void;
  /** What the list of revisions says about the change. */
  readonly note?: string;
  /** What the person reads after the change. Absent: the new revision. */
  readonly done?: ToastInput;
}

/** Applies a document as it was planned on `basis`, or not at all. */
export function useApply({ onApplied, onHeld, note, done }: ApplyOptions) {
  const client = useQueryClient();
  const search = note === undefined ? "" : `&note=${encodeURIComponent(note)}`;
  return useMutation({
    mutationFn: ({ text, mode, basis }: DocumentInput & { readonly basis: number }) =>
      request<ConfigPlan>(`/api/admin/config?mode=${mode}${search}`, { method: "PUT", document: text, ifMatch: basis }),
    onSuccess: async ({ revision }) => {
      const applied = {
        title: "Configuration applied",
        description: `The configuration is now at revision ${revision}.`,
      };
      toast(done ?? applied);
      await onApplied();
      await client.invalidateQueries();
    },
    onError: (error) => {
      if (!(error instanceof Problem)) return;
      if (error.code === "awaits_review") onHeld?.();
      if (error.code === "stale") void client.invalidateQueries({ queryKey: PLANS });
    },
  });
}
