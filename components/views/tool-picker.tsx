"use client";

import { useState, type Ref } from "react";
import { useDebounced } from "@/components/resource/use-debounced";
import { useList } from "@/components/resource/use-list";
import { Combobox } from "@/components/ui/combobox";

/** Finds one tool among all of them, by the server's search; takes it and is empty again. */
export function ToolPicker({
  label,
  onPick,
  disabled,
  ref,
}: {
  label: string;
  onPick: (toolId: string) => void;
  disabled: boolean;
  /** Its input, for a dialog that begins there. */
  ref?: Ref<HTMLInputElement>;
}) {
  const [query, setQuery] = useState("");
  // A new key after each pick empties the box.
  const [picks, setPicks] = useState(0);
  const asked = useDebounced(query, 150);
  const { rows, isPlaceholderData } = useList("tools", { q: asked, limit: 20 });
  // The rows answer what was typed before: Enter must not take one that no longer fits.
  const stale = asked !== query || isPlaceholderData;
  const word = query.trim().toLowerCase();
  const offered = stale
    ? rows.filter(({ id, description }) => `${id} ${description}`.toLowerCase().includes(word))
    : rows;
  return (
    <Combobox
      key={picks}
      ref={ref}
      aria-label={label}
      value={null}
      onChange={(id) => {
        if (id === null) return;
        onPick(id);
        setQuery("");
        setPicks((count) => count + 1);
      }}
      onQuery={setQuery}
      options={offered.map((tool) => ({ value: tool.id, hint: tool.description }))}
      placeholder={label}
      empty={stale ? "Searching…" : undefined}
      disabled={disabled}
      mono
    />
  );
}
