import { postAuth } from "@/components/shell/session";
import { toast } from "@/components/ui/toast";

/** Ends the session and shows the sign-in page; says so where that did not work. */
export async function runSignOut(): Promise<void> {
  const done = await postAuth("signout", {}).catch(() => ({ ok: false }));
  if (done.ok) return window.location.assign("/sign-in");
  toast({ title: "Could not sign out", description: "The server cannot be reached. Try again.", tone: "failed" });
}
