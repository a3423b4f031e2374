"use client";

import { useSave } from "@/components/resource/use-save";
import { Badge } from "@/components/ui/badge";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import type { Input, ResourceName, Row } from "@/lib/resources";

interface RowSwitchProps<R extends ResourceName> {
  resource: R;
  id: string;
  row: Row<R>;
  checked: boolean;
  /** The whole input with the switch the other way. */
  toInput: (row: Row<R>, checked: boolean) => Input<R>;
  label: string;
  disabled: boolean;
}

/** A switch in a list: it acts at once and can be undone for eight seconds. */
export function RowSwitch<R extends ResourceName>({
  resource,
  id,
  row,
  checked,
  toInput,
  label,
  disabled,
}: RowSwitchProps<R>) {
  const save = useSave(resource);
  // What a role cannot write is a fact to read, not a dead switch.
  if (disabled) return <Badge tone={checked ? "allow" : "warn"}>{checked ? "on" : "off"}</Badge>;
  const turn = (to: boolean, from: Row<R>) =>
    save.mutate(
      { input: toInput(from, to), replaces: { id, revision: from.revision } },
      {
        onSuccess: (now) =>
          toast({ title: `${id} is ${to ? "on" : "off"}`, ...(to !== checked && { undo: () => turn(!to, now) }) }),
        onError: (error) => toast({ title: `${id} was not changed`, description: error.message, tone: "failed" }),
      },
    );
  return (
    <span className="relative z-1 flex w-fit">
      <Switch
        aria-label={label}
        checked={save.isPending ? !checked : checked}
        onChange={(to) => turn(to, row)}
        disabled={save.isPending}
      />
    </span>
  );
}
