import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { guardLeaving } from "@/components/resource/go";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";

/** A navigation away from the page that the guard blocked. */
interface BlockedNavigation {
  readonly follow: () => void;
}

/** Asks before a navigation loses unsaved changes: a link, the browser's Back and Forward, closing or reloading the tab. */
export function LeaveGuard({ active }: { active: boolean }) {
  const { blocked, setBlocked } = useBlockedNavigation(active);
  return (
    <Dialog
      open={blocked !== null}
      onOpenChange={(shown) => !shown && setBlocked(null)}
      size="sm"
      title="Leave without saving?"
      description="Your changes on this page are not saved."
      footer={
        <>
          <Button onClick={() => setBlocked(null)}>Stay</Button>
          <Button
            variant="danger"
            onClick={() => {
              blocked?.follow();
              setBlocked(null);
            }}
          >
            Leave
          </Button>
        </>
      }
    />
  );
}

/** Blocks navigations while `active`. Returns the last one that was blocked. */
function useBlockedNavigation(active: boolean) {
  const [blocked, setBlocked] = useState<BlockedNavigation | null>(null);
  const open = useRef(false);
  const router = useRouter();

  const blockNavigation = useEffectEvent((href: string) => {
    if (new URL(href, window.location.href).pathname === window.location.pathname) return false;
    setBlocked({ follow: () => router.push(href as Route) });
    return true;
  });
  const onClick = useEffectEvent((event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || link.target === "_blank" || link.origin !== window.location.origin)
      return;
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!blockNavigation(`${link.pathname}${link.search}`)) return;
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
    setBlocked({ follow });
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
      leave: blockNavigation,
      ask: (follow) => setBlocked({ follow }),
      release: () => (open.current = true),
    });
    return () => {
      release();
      navigation?.removeEventListener("navigate", onNavigate);
      window.removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, true);
    };
  }, [active]);
  return { blocked, setBlocked };
}
