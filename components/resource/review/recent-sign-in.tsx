import { useGet } from "@/components/resource/use-get";
import { buttonStyle } from "@/components/ui/button";
import { NewTabMark } from "@/components/ui/text-link";
import type { Me } from "@/lib/contracts/people/me";

/** Milliseconds between two reads while a button of an emergency is shown: a sign-in gets too old meanwhile. */
const POLL_MS = 30_000;

/**
 * Whether the person's sign-in is recent enough for a change without review; `undefined` while loading. Reads again when the
 * person returns from the tab of `SignInAgain`.
 */
export function useRecentSignIn(): boolean | undefined {
  return useGet<Me, boolean>(["me", "sign-in"], "/api/admin/me", {
    staleTime: 0,
    refetchInterval: POLL_MS,
    refetchOnWindowFocus: "always",
    select: (me) => me.signedInRecently,
  }).data;
}

/** Says why a change without review needs a new sign-in, and for how long that one counts; nothing while it needs none. */
export function StaleSignIn() {
  if (useRecentSignIn() !== false) return null;
  return (
    <p className="basis-full text-xs text-pretty text-muted">
      To apply the change without review, sign in again, because your sign-in is older than 10 minutes. The new one
      counts for 10 minutes.
    </p>
  );
}

/** Signs in again in another tab, so that the text on this page stays. */
export function SignInAgain({ variant, children }: { variant?: "ghost" | "primary"; children: string }) {
  return (
    <a href="/sign-in?again" target="_blank" rel="noopener" className={buttonStyle({ variant })}>
      {children}
      <NewTabMark />
    </a>
  );
}
