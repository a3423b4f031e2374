import { beforeLeaving, leaveFor } from "@/components/resource/go";
import { holdRequests } from "@/components/resource/request";
import { postAuth } from "@/components/shell/session";
import { toast } from "@/components/ui/toast";

/** Ends the session and shows the sign-in page, once unsaved changes were asked about; says so where that did not work. */
export function runSignOut(): void {
  beforeLeaving(() => void signOut());
}

async function signOut(): Promise<void> {
  const goOn = await holdRequests();
  const done = await postAuth("signout", {}).catch(() => ({ ok: false }));
  if (done.ok) return leaveFor("/sign-in");
  goOn();
  toast({ title: "Could not sign out", description: "The server cannot be reached. Try again.", tone: "failed" });
}
