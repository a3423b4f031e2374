import type { Combobox as Base } from "@base-ui/react/combobox";
import { useState, type KeyboardEvent } from "react";

interface TypedChips {
  value: readonly string[];
  onChange: (value: string[]) => void;
  creatable?: boolean | undefined;
  onQuery?: ((query: string) => void) | undefined;
}

/** The text that is typed after the chips, and the keys that make it a chip. */
export function useTypedChips({ value, onChange, creatable = false, onQuery }: TypedChips) {
  const [query, setQuery] = useState("");
  const [highlighted, setHighlighted] = useState<string | undefined>(undefined);
  const type = (next: string) => {
    setQuery(next);
    onQuery?.(next);
  };
  const add = (text: string) => {
    const word = text.trim();
    type("");
    if (word !== "" && !value.includes(word)) onChange([...value, word]);
  };
  // Base UI empties the field when a press elsewhere closes the list. The typed text becomes a chip, as when one tabs away.
  const onInputValueChange = (next: string, { reason, isItemPress, event }: Base.Root.ChangeEventDetails) => {
    const isLeft = reason === "input-clear" && isItemPress === false && event.type !== "keydown";
    if (creatable && isLeft) add(query);
    else type(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!creatable || query.trim() === "") return;
    if (event.key === "," || (event.key === "Enter" && highlighted === undefined)) {
      event.preventDefault();
      add(query);
    }
  };
  return {
    query,
    type,
    add,
    onKeyDown,
    typing: { inputValue: query, onInputValueChange, onItemHighlighted: setHighlighted },
  };
}
