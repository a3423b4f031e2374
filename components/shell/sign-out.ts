import { leaveGuarded, leaveFor } from "@/components/resource/go";
import { holdRequests } from "@/components/resource/request";
import { postAuth } from "@/components/shell/session";
import { toast } from "@/components/ui/overlays/toast";

/** Confirms the loss of unsaved changes, ends the session and shows the sign-in page; shows an error when that fails. */
export function runSignOut(): void {
  leaveGuarded(() => void signOut());
}

async function signOut(): Promise<void> {
  const goOn = await holdRequests();
  const done = await postAuth("signout", {}).catch(() => ({ ok: false }));
  if (done.ok) return leaveFor("/sign-in");
  goOn();
  toast({ title: "Could not sign out", description: "The server cannot be reached. Try again.", tone: "failed" });
}
