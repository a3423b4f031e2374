"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { guardLeaving } from "@/components/resource/go";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

/** Asks before unsaved changes are left behind: on ways to other pages, and on closing or reloading the tab. */
export function LeaveGuard({ active }: { active: boolean }) {
  const [target, setTarget] = useState<string | null>(null);
  const router = useRouter();

  useEffect(() => {
    if (!active) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      if (!(link instanceof HTMLAnchorElement) || link.target === "_blank" || link.origin !== window.location.origin)
        return;
      if (
        event.button !== 0 ||
        event.ctrlKey ||
        event.metaKey ||
        event.shiftKey ||
        link.pathname === window.location.pathname
      )
        return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(`${link.pathname}${link.search}`);
    };
    window.addEventListener("beforeunload", onUnload);
    document.addEventListener("click", onClick, true);
    const release = guardLeaving((href) => {
      if (href.split("?")[0] === window.location.pathname) return false;
      setTarget(href);
      return true;
    });
    return () => {
      release();
      window.removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, true);
    };
  }, [active]);

  return (
    <Dialog
      open={target !== null}
      onOpenChange={(open) => !open && setTarget(null)}
      size="sm"
      title="Leave without saving?"
      description="Your changes on this page are not saved."
      footer={
        <>
          <Button onClick={() => setTarget(null)}>Stay</Button>
          <Button
            variant="danger"
            onClick={() => {
              if (target !== null) router.push(target as Route);
              setTarget(null);
            }}
          >
            Leave
          </Button>
        </>
      }
    />
  );
}
