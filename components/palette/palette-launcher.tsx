"use client";

import { Search } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { capsOf, KEYS } from "@/components/keyboard/keys";
import { useKey } from "@/components/keyboard/use-key";
import { RememberRecent } from "@/components/palette/recent";
import type { Doing } from "@/components/palette/targets";
import type { ResourceFacts } from "@/components/resource/view";
import { Kbd } from "@/components/ui/kbd";
import type { ResourceName } from "@/lib/resources";

const Palette = lazy(async () => ({ default: (await import("@/components/palette/palette")).Palette }));

interface PaletteLauncherProps {
  facts: readonly ResourceFacts<ResourceName>[];
  doing: Doing;
}

/** The way into the palette, from every page: its code is loaded when it is first opened. */
export function PaletteLauncher({ facts, doing }: PaletteLauncherProps) {
  const [open, setOpen] = useState(false);
  useKey("palette", () => setOpen((now) => !now));
  return (
    <>
      <button
        type="button"
        aria-label="Search or jump"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className="mr-2 flex h-7 w-64 min-w-0 items-center gap-2 rounded-md border border-line bg-panel px-2 text-sm text-faint transition-colors hover:border-edge hover:text-muted max-lg:w-auto"
      >
        <Search aria-hidden className="size-3.5 shrink-0" />
        <span aria-hidden className="flex-1 truncate text-left max-lg:hidden">
          Search or jump…
        </span>
        <span aria-hidden className="flex gap-0.5 max-lg:hidden">
          {capsOf(KEYS.palette).map((cap) => (
            <Kbd key={cap}>{cap}</Kbd>
          ))}
        </span>
      </button>
      <RememberRecent facts={facts} />
      {open && (
        <Suspense>
          <Palette facts={facts} doing={doing} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
