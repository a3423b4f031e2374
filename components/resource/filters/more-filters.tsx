"use client";

import { ListFilterPlus } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { Chip } from "@/components/resource/view";
import { Button } from "@/components/ui/button";

const load = () => import("@/components/resource/filters/more-filters-form");
const Form = lazy(async () => ({ default: (await load()).MoreFiltersForm }));

interface MoreFiltersProps {
  chips: readonly Chip[];
  /** The present values by key. */
  chosen: Readonly<Record<string, string>>;
  /** Called with all of them; `null` = not set. */
  onApply: (next: Record<string, string | null>) => void;
}

/** The free-text filters in one form. Set ones appear next to it as chips. */
export function MoreFilters({ chips, chosen, onApply }: MoreFiltersProps) {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  // Loaded before the menu opens, because people type at once.
  useEffect(() => void load(), []);
  return (
    <>
      <Button
        ref={trigger}
        variant="ghost"
        className="px-2"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <ListFilterPlus aria-hidden /> More filters
      </Button>
      <Suspense>
        {open && (
          <Form chips={chips} chosen={chosen} anchor={trigger} onApply={onApply} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </>
  );
}
