"use client";

import { Keyboard } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { NAVIGATION } from "@/components/shell/navigation";
import { Button } from "@/components/ui/button";
import { isTyping } from "@/components/ui/is-typing";

const KeyList = lazy(async () => ({ default: (await import("@/components/shell/key-list")).KeyList }));

/** The keys that work everywhere: `?` shows them, `g` and a letter goes somewhere. */
export function KeySheet() {
  const [open, setOpen] = useState(false);
  const afterG = useRef(0);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "?") return setOpen(true);
      if (event.key === "g") {
        afterG.current = event.timeStamp;
        return;
      }
      const place = event.timeStamp - afterG.current < 1200 && placeOf(event.key);
      afterG.current = 0;
      if (place === false || place === undefined) return;
      event.preventDefault();
      // Through the sidebar's own link: a guard over unsaved changes sees it like any other.
      document.querySelector<HTMLAnchorElement>(`nav a[href="${place.href}"]`)?.click();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts"
        onClick={() => setOpen(true)}
      >
        <Keyboard aria-hidden />
      </Button>
      {open && (
        <Suspense>
          <KeyList onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function placeOf(key: string) {
  return NAVIGATION.flatMap((section) => section.entries).find((entry) => entry.key === key);
}
