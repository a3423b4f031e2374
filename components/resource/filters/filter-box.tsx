"use client";

import { Search } from "lucide-react";
import { useRef } from "react";
import { useKey } from "@/components/keyboard/use-key";
import { cn } from "@/components/ui/cn";
import { Kbd } from "@/components/ui/kbd";

interface FilterBoxProps {
  label: string;
  placeholder?: string | undefined;
  value: string;
  /** For the URL: typing replaces the entry of the history, and an empty text is `null`. */
  onChange: (value: string | null) => void;
  /** Enter: what is typed is complete. */
  onDone?: () => void;
  /** Backspace with nothing before it: what stands beside the box comes back as text. */
  onTakeBack?: () => void;
  className?: string | undefined;
}

/** What every list is filtered by: text, from wherever one is with `/`. Escape goes back to the rows. */
export function FilterBox({
  label,
  placeholder = label,
  value,
  onChange,
  onDone,
  onTakeBack,
  className,
}: FilterBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useKey("filter", () => box.current?.select());
  return (
    <div className={cn("relative w-64", className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-faint"
      />
      <input
        ref={box}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onDone?.();
          else if (event.key === "Backspace" && value === "") onTakeBack?.();
          else if (event.key === "Escape") event.currentTarget.blur();
          else return;
          event.preventDefault(); // At Escape a search field would empty itself: what was found must not change.
        }}
        className="h-8 w-full rounded-md border border-edge/80 bg-raised pr-8 pl-7 text-sm hover:border-muted focus-visible:border-accent focus-visible:outline-accent [&::-webkit-search-cancel-button]:hidden"
      />
      <span className="pointer-events-none absolute top-1/2 right-1.5 -translate-y-1/2 max-md:hidden">
        <Kbd>/</Kbd>
      </span>
    </div>
  );
}
