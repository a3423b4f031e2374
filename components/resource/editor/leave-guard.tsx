"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { guardLeaving } from "@/components/resource/go";
import { Button, buttonStyle } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";

/** A way out of the page that was stopped. */
interface Way {
  readonly follow: () => void;
}

/**
 * Asks before unsaved changes are left behind: on ways to other pages, on the browser's Back and Forward, on closing
 * or reloading the tab. A session that ends meanwhile is renewed in another tab, so that nothing is left at all.
 */
export function LeaveGuard({ active }: { active: boolean }) {
  const { way, setWay, signedOut, setSignedOut } = useStoppedWays(active);
  return (
    <>
      <Dialog
        open={way !== null}
        onOpenChange={(shown) => !shown && setWay(null)}
        size="sm"
        title="Leave without saving?"
        description="Your changes on this page are not saved."
        footer={
          <>
            <Button onClick={() => setWay(null)}>Stay</Button>
            <Button
              variant="danger"
              onClick={() => {
                way?.follow();
                setWay(null);
              }}
            >
              Leave
            </Button>
          </>
        }
      />
      <Dialog
        open={active && signedOut}
        onOpenChange={setSignedOut}
        size="sm"
        title="Your session ended"
        description="Your changes are still on this page. Sign in in another tab, come back, and save them here."
        footer={
          <>
            <Button onClick={() => setSignedOut(false)}>Keep editing</Button>
            <a href="/sign-in" target="_blank" rel="noopener" className={buttonStyle({ variant: "primary" })}>
              Sign in in another tab
            </a>
          </>
        }
      />
    </>
  );
}

/** Stops the ways out of the page while `active`: the one that was stopped last, and whether the session ended. */
function useStoppedWays(active: boolean) {
  const [way, setWay] = useState<Way | null>(null);
  const [signedOut, setSignedOut] = useState(false);
  const open = useRef(false);
  const router = useRouter();

  const toPage = useEffectEvent((href: string) => {
    if (new URL(href, window.location.href).pathname === window.location.pathname) return false;
    setWay({ follow: () => router.push(href as Route) });
    return true;
  });
  const onClick = useEffectEvent((event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || link.target === "_blank" || link.origin !== window.location.origin)
      return;
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!toPage(`${link.pathname}${link.search}`)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  // Back and Forward inside the app. When they load a document, the browser asks as it does on closing.
  const onNavigate = useEffectEvent((event: NavigateEvent) => {
    const { key, sameDocument, url } = event.destination;
    if (open.current || event.navigationType !== "traverse" || !event.cancelable || !sameDocument) return;
    if (new URL(url ?? "").pathname === window.location.pathname) return;
    event.preventDefault();
    const follow = () => {
      open.current = true;
      window.navigation.traverseTo(key);
    };
    setWay({ follow });
  });

  useEffect(() => {
    if (!active) return;
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!open.current) event.preventDefault();
    };
    window.addEventListener("beforeunload", onUnload);
    document.addEventListener("click", onClick, true);
    // Older browsers lack this API. There, Back does not ask.
    const navigation = "navigation" in window ? window.navigation : null;
    navigation?.addEventListener("navigate", onNavigate);
    const release = guardLeaving({
      leave: toPage,
      ask: (follow) => setWay({ follow }),
      release: () => (open.current = true),
      signedOut: () => setSignedOut(true),
    });
    return () => {
      release();
      navigation?.removeEventListener("navigate", onNavigate);
      window.removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, true);
    };
  }, [active]);
  return { way, setWay, signedOut, setSignedOut };
}
