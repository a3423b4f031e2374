"use client";

import { useSave } from "@/components/resource/use-save";
import type { BulkAction, Column } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import type { Input, ResourceName, Row } from "@/lib/resources";
import { KINDS } from "@/lib/resources/kinds";

/** The fields that switch a row on and off, and what doing so is called. */
const SWITCHES = {
  enabled: { header: "Enabled", on: "Enable", off: "Disable" },
  active: { header: "Active", on: "Activate", off: "Deactivate" },
} as const;

type SwitchField = keyof typeof SWITCHES;

/** Resources whose rows have such a field. */
type Switched<F extends SwitchField> = {
  [R in ResourceName]: Row<R> extends { readonly [field in F]: boolean } ? R : never;
}[ResourceName];

/** The column that switches a row on and off where it stands. */
export function switchColumn<F extends SwitchField, R extends Switched<F>>(
  resource: R,
  field: F,
  { toInput, sorts = false }: { readonly toInput: (row: Row<R>) => Input<R>; readonly sorts?: boolean },
): Column<Row<R>> {
  return {
    id: field,
    header: SWITCHES[field].header,
    sorts,
    cell: (row, canWrite) => {
      const stored = row as Readonly<Record<string, unknown>>;
      const id = String(stored[KINDS[resource].id]);
      return (
        <RowSwitch
          resource={resource}
          id={id}
          row={row}
          checked={stored[field] === true}
          toInput={(now, to) => ({ ...toInput(now), [field]: to })}
          label={`${id} ${field}`}
          disabled={!canWrite}
        />
      );
    },
  };
}

/** The same for many rows together. */
export function switchActions(field: SwitchField): readonly BulkAction[] {
  const { on, off } = SWITCHES[field];
  return [
    { label: on, change: { kind: "set", field, value: true } },
    { label: off, change: { kind: "set", field, value: false } },
  ];
}

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
function RowSwitch<R extends ResourceName>({
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
