import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";
import { ToolPicker } from "@/components/views/tools/tool-picker";
import type { Input } from "@/lib/resources";

/** Two states, as transitions name them; `*` is any. */
export interface Ends {
  readonly from: string;
  readonly to: string;
}

interface TransitionDialogProps {
  machine: Input<"machines">;
  ends: Ends;
  onAdd: (transition: Ends & { readonly tool: string }) => void;
  onClose: () => void;
}

const ANY = { value: "*", label: "any state" };

/** Lets a person choose the tool whose calls take a newly drawn transition. */
export function TransitionDialog({ machine, ends, onAdd, onClose }: TransitionDialogProps) {
  const [{ from, to }, setEnds] = useState(ends);
  const names = machine.states.filter(({ name }) => name !== "").map(({ name }) => ({ value: name, label: name }));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Add a transition"
      description="Choose the tool whose successful calls take this transition."
    >
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-end gap-2">
          <Field label="From">
            <Select
              value={from}
              onChange={(next) => setEnds({ from: next, to })}
              options={[ANY, ...names]}
              className="font-mono text-xs"
            />
          </Field>
          <ArrowRight aria-label="to" className="mb-2.5 size-3.5 text-faint" />
          <Field label="To">
            <Select
              value={to}
              onChange={(next) => setEnds({ from, to: next })}
              options={names}
              className="font-mono text-xs"
            />
          </Field>
        </div>
        <ToolPicker label="Find a tool" disabled={to === ""} onPick={(tool) => onAdd({ tool, from, to })} />
        <p className="text-xs text-pretty text-faint">
          If the tool has no rule, a new rule makes it available{" "}
          {from === "*" ? "in every state" : "in this state only"}. You can change the rule in the table.
        </p>
      </div>
    </Dialog>
  );
}
