"use client";

import { useState } from "react";
import { useDebounced } from "@/components/resource/use-debounced";
import { useList } from "@/components/resource/use-list";
import { Combobox } from "@/components/ui/combobox";

/** Finds one tool among all of them, by the server's search; takes it and is empty again. */
export function ToolPicker({
  label,
  onPick,
  disabled,
}: {
  label: string;
  onPick: (toolId: string) => void;
  disabled: boolean;
}) {
  const [query, setQuery] = useState("");
  // A new key after each pick empties the box.
  const [picks, setPicks] = useState(0);
  const { rows } = useList("tools", { q: useDebounced(query, 150), limit: 20 });
  return (
    <Combobox
      key={picks}
      aria-label={label}
      value={null}
      onChange={(id) => {
        if (id === null) return;
        onPick(id);
        setQuery("");
        setPicks((count) => count + 1);
      }}
      onQuery={setQuery}
      options={rows.map((tool) => ({ value: tool.id, hint: tool.description }))}
      placeholder={label}
      disabled={disabled}
      mono
    />
  );
}
