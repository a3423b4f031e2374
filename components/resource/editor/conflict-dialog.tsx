import { useState } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { changesOf, same } from "@/components/resource/editor/changes";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Select } from "@/components/ui/forms/select";
import { wordsOf } from "@/lib/contracts/changes/row-words";

interface ConflictDialogProps<T extends object> {
  /** The common ancestor, the stored value, and the draft. */
  base: T;
  theirs: T;
  mine: T;
  onCancel: () => void;
  /** Continues with the stored value and the selected fields of the draft. The person reviews it before the save. */
  onMerge: (merged: T) => void;
}

type Side = "mine" | "theirs";

/** Shows another person's saved change and the draft field by field, so that neither silently overwrites the other. */
export function ConflictDialog<T extends object>({ base, theirs, mine, onCancel, onMerge }: ConflictDialogProps<T>) {
  const fields = changesOf(theirs, mine).map((change) => change.field);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  // A field that only one side changed takes that side's value. If both sides changed it, it takes the draft's value.
  const sideOf = (field: string): Side =>
    chosen[field] ?? (same(valueOf(mine, field), valueOf(base, field)) ? "theirs" : "mine");
  const merge = () =>
    onMerge({
      ...theirs,
      ...Object.fromEntries(
        fields.filter((field) => sideOf(field) === "mine").map((field) => [field, valueOf(mine, field)]),
      ),
    });
  return (
    <ActionDialog
      size="lg"
      title="This row was saved in the meantime"
      description="Choose a version for each field. Nothing is saved until you review the result."
      action="Use these versions"
      cancel="Keep editing"
      onAct={merge}
      onClose={onCancel}
    >
      {fields.map((field) => (
        <section key={field} aria-label={wordsOf(field)}>
          <div className="mb-1 flex items-center gap-2">
            <h3 className="text-sm font-medium">{wordsOf(field)}</h3>
            <Select
              aria-label={`Version of ${wordsOf(field)}`}
              value={sideOf(field)}
              onChange={(side: Side) => setChosen({ ...chosen, [field]: side })}
              options={toOptions({ theirs: "Take theirs", mine: "Take mine" })}
              className="ml-auto h-7 w-32"
            />
          </div>
          <div className="grid grid-cols-2 gap-2">
            <Version side="Theirs" field={field} value={theirs} base={base} />
            <Version side="Mine" field={field} value={mine} base={base} />
          </div>
        </section>
      ))}
    </ActionDialog>
  );
}

interface VersionProps {
  side: string;
  field: string;
  /** The row on this side, and the common ancestor of both sides. */
  value: object;
  base: object;
}

function Version({ side, field, value, base }: VersionProps) {
  const untouched = same(valueOf(value, field), valueOf(base, field));
  return (
    <div className="min-w-0">
      <p className="text-xs text-faint">
        {side}
        {untouched && ", unchanged"}
      </p>
      <pre
        tabIndex={0}
        role="region"
        aria-label={`${side}: ${wordsOf(field)}`}
        className="max-h-48 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs"
      >
        {JSON.stringify(valueOf(value, field), null, 2) ?? "—"}
      </pre>
    </div>
  );
}

function valueOf(row: object, field: string): unknown {
  return (row as Readonly<Record<string, unknown>>)[field];
}
