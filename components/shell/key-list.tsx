"use client";

import type { ReactNode } from "react";
import { NAVIGATION } from "@/components/shell/navigation";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";

const PLACES = NAVIGATION.flatMap((section) => section.entries).filter((entry) => entry.key !== undefined);

/** Every key that works on a page. */
export function KeyList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts" size="sm">
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
  );
}

function Keys({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
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
