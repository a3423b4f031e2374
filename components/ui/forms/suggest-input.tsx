import { Autocomplete } from "@base-ui/react/autocomplete";
import { useState } from "react";
import { cn } from "@/components/ui/cn";
import { keptAtEscape, Options } from "@/components/ui/forms/combobox";
import { controlStyle } from "@/components/ui/forms/control-style";

interface SuggestInputProps {
  value: string;
  onChange: (text: string) => void;
  suggestions: readonly string[];
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  mono?: boolean | undefined;
}

/** One line of free text, with the suggestions that contain it. Every typed character counts, as in an `Input`. */
export function SuggestInput({
  value,
  onChange,
  suggestions,
  placeholder,
  disabled = false,
  mono = false,
}: SuggestInputProps) {
  const [isOpen, setOpen] = useState(false);
  const typed = value.toLowerCase();
  const offers = suggestions.filter((text) => text !== value && text.toLowerCase().includes(typed));
  return (
    <Autocomplete.Root
      items={offers}
      filter={null}
      value={value}
      onValueChange={(text, details) => keptAtEscape(details) || onChange(text)}
      // An open list hides the rest of the page from screen readers: an empty one stays closed.
      open={isOpen && offers.length > 0}
      onOpenChange={setOpen}
      openOnInputClick
      disabled={disabled}
    >
      <Autocomplete.Input
        autoComplete="off"
        placeholder={placeholder}
        className={cn(controlStyle, "h-8 max-sm:h-10", mono && "font-mono text-xs")}
      />
      <Options items={offers.map((text) => ({ value: text }))} mono={mono} />
    </Autocomplete.Root>
  );
}
