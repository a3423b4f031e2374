import { toastFailure } from "@/components/resource/review/toast-failure";
import { useQueryClient } from "@tanstack/react-query";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { bypass } from "@/components/requests/use-requests";
import { toast } from "@/components/ui/overlays/toast";
import type { RequestRow } from "@/lib/contracts/changes/request";

/** How a person saves a draft: with a reason for a second person, or at once in an emergency. */
export interface SaveHow {
  readonly reason: string;
  /** Whether a change that becomes a request is applied without review. */
  readonly bypasses: boolean;
}

/** A save that states no reason. */
export const PLAINLY: SaveHow = { reason: "", bypasses: false };

/** Opens the page of the request that a save became. It holds the draft's changes, so it takes the place of the editor. */
export function useFollowRequest(discard: () => void) {
  const router = useRouter();
  const client = useQueryClient();
  return async (held: RequestRow, { reason, bypasses }: SaveHow): Promise<void> => {
    discard();
    if (bypasses) await applyNow(held, reason);
    else
      toast({
        title: "The change waits for a second person",
        description: "Nothing changes until the request is approved.",
      });
    void client.invalidateQueries();
    router.push(`/admin/requests/${encodeURIComponent(held.id)}` as Route);
  };
}

/** A refusal, such as a sign-in that is too old, leaves the request open. Its page offers the same button. */
async function applyNow(held: RequestRow, reason: string): Promise<void> {
  try {
    await bypass(held, reason);
    toast({ title: `Applied without review: ${held.target}` });
  } catch (error) {
    toastFailure("The change waits for a second person", error);
  }
}
