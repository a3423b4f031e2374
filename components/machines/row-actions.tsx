import { ArrowDown, ArrowUp, X } from "lucide-react";
import { moveItem } from "@/components/machines/machine-edits";
import type { Bound } from "@/components/resource/editor/bind";
import { IconButton } from "@/components/ui/button";

interface RowActionsProps<T> {
  list: Bound<T[]>;
  index: number;
  /** The name of the row: "state triage". */
  label: string;
}

/** Moves a row up or down, or removes it, in a list whose order counts. */
export function RowActions<T>({ list, index, label }: RowActionsProps<T>) {
  if (list.readOnly) return null;
  const last = list.value.length - 1;
  const move = (by: -1 | 1) => list.onChange(moveItem(list.value, index, by));
  return (
    <span className="flex justify-end">
      <IconButton icon={ArrowUp} label={`Move ${label} up`} disabled={index === 0} onClick={() => move(-1)} />
      <IconButton icon={ArrowDown} label={`Move ${label} down`} disabled={index === last} onClick={() => move(1)} />
      <IconButton icon={X} label={`Remove ${label}`} onClick={() => list.onChange(list.value.toSpliced(index, 1))} />
    </span>
  );
}
