import { Problem } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";

/** Says that a change failed. A change that became a request, or that the person took back, did not fail. */
export function toastFailure(title: string, error: unknown): void {
  if (error instanceof Problem && (error.code === "awaits_review" || error.code === "reason_needed")) return;
  toast({ title, description: error instanceof Error ? error.message : String(error), tone: "failed" });
}
