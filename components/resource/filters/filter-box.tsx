import { Search } from "lucide-react";
import { useRef } from "react";
import { useKey } from "@/components/keyboard/use-key";
import { cn } from "@/components/ui/cn";
import { Kbd } from "@/components/ui/kbd";

interface FilterBoxProps {
  label: string;
  placeholder?: string | undefined;
  value: string;
  /** Called on every edit; `null` = the box is empty. */
  onChange: (value: string | null) => void;
  /** Called on Enter, when the text is complete. */
  onDone?: () => void;
  /**
   * Called on Backspace in an empty box: the chip before the box becomes text again. Repeats of a held key do not count, so
   * that a person who clears the text keeps the chips.
   */
  onTakeBack?: () => void;
  className?: string | undefined;
}

/** The text filter of every list. `/` focuses it from anywhere; Escape leaves it and keeps the text. */
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
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") onDone?.();
          else if (event.key === "Backspace" && value === "" && !event.repeat) onTakeBack?.();
          else if (event.key === "Escape") event.currentTarget.blur();
          else return;
          event.preventDefault(); // By default Escape empties a search field, which would change the list.
        }}
        className="h-8 w-full max-sm:h-10 rounded-md border border-edge/80 bg-raised pr-8 pl-7 text-sm hover:border-muted focus-visible:border-accent focus-visible:outline-accent [&::-webkit-search-cancel-button]:hidden"
      />
      <span className="pointer-events-none absolute top-1/2 right-1.5 -translate-y-1/2 max-md:hidden">
        <Kbd>/</Kbd>
      </span>
    </div>
  );
}
