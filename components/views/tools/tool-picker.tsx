import { useEffect, useRef, useState } from "react";
import { useDebounced } from "@/components/resource/use-debounced";
import { useList } from "@/components/resource/list/use-list";
import { Combobox } from "@/components/ui/forms/combobox";
import { firstField } from "@/components/ui/forms/first-field";

/** Finds one tool with the server's search. After the selection, the field is empty again. */
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
  // A new key after each pick empties the box, and the next is typed into the new one.
  const [picks, setPicks] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (picks > 0) firstField(frame.current)?.focus();
  }, [picks]);
  const searched = useDebounced(query, 150);
  const { rows, isPlaceholderData } = useList("tools", { q: searched, limit: 20 });
  // The rows may belong to an older text. Enter must not select one that no longer matches.
  const stale = searched !== query || isPlaceholderData;
  const word = query.trim().toLowerCase();
  const offered = stale
    ? rows.filter(({ id, description }) => `${id} ${description}`.toLowerCase().includes(word))
    : rows;
  return (
    <div ref={frame}>
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
        options={offered.map((tool) => ({ value: tool.id, hint: tool.description }))}
        placeholder={label}
        empty={stale ? "Searching…" : undefined}
        disabled={disabled}
        mono
      />
    </div>
  );
}
