"use client";

import { Keyboard } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { NAVIGATION } from "@/components/shell/navigation";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { isTyping } from "@/components/ui/is-typing";
import { Kbd } from "@/components/ui/kbd";

const PLACES = NAVIGATION.flatMap((section) => section.entries).filter((entry) => entry.key !== undefined);

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
      const place = event.timeStamp - afterG.current < 1200 && PLACES.find((entry) => entry.key === event.key);
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
      <Dialog open={open} onOpenChange={setOpen} title="Keyboard shortcuts" size="sm">
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 text-sm">
          <Keys keys={["/"]}>Filter the list</Keys>
          <Keys keys={["j", "k"]}>Next and previous row</Keys>
          <Keys keys={["Enter"]}>Open the row</Keys>
          <Keys keys={["n"]}>New</Keys>
          {PLACES.map((place) => (
            <Keys key={place.href} keys={["g", place.key ?? ""]}>
              Go to {place.label}
            </Keys>
          ))}
          <Keys keys={["?"]}>This sheet</Keys>
        </dl>
      </Dialog>
    </>
  );
}

function Keys({ keys, children }: { keys: readonly string[]; children: React.ReactNode }) {
  return (
    <>
      <dt className="flex gap-1">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </dt>
      <dd>{children}</dd>
    </>
  );
}
