import { Autocomplete } from "@base-ui/react/autocomplete";
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

/** One line of free text, with suggestions that contain it. Every typed character counts, as in an `Input`. */
export function SuggestInput({
  value,
  onChange,
  suggestions,
  placeholder,
  disabled = false,
  mono = false,
}: SuggestInputProps) {
  return (
    <Autocomplete.Root
      items={suggestions}
      value={value}
      onValueChange={(text, details) => keptAtEscape(details) || onChange(text)}
      openOnInputClick
      disabled={disabled}
    >
      <Autocomplete.Input
        autoComplete="off"
        placeholder={placeholder}
        className={cn(controlStyle, "h-8 max-sm:h-10", mono && "font-mono text-xs")}
      />
      <Options items={suggestions.map((suggestion) => ({ value: suggestion }))} mono={mono} empty={null} />
    </Autocomplete.Root>
  );
}
