import { toastFailure } from "@/components/resource/review/toast-failure";
import { useState } from "react";
import type { SwitchReview } from "@/components/resource/list/switch-review";
import { useSave } from "@/components/resource/editor/use-save";
import type { BulkAction, Column } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { Switch } from "@/components/ui/forms/switch";
import { lazyPart } from "@/components/ui/lazy-part";
import { toast } from "@/components/ui/overlays/toast";
import type { Input, ResourceName, Row } from "@/lib/resources";
import { KINDS } from "@/lib/resources/kinds";

// Loaded only when a person uses a switch.
const DisableDialog = lazyPart(async () => (await import("@/components/resource/remove/disable-dialog")).DisableDialog);

const SwitchReviewDialog = lazyPart(
  async () => (await import("@/components/resource/list/switch-review")).SwitchReviewDialog,
);

/** The fields that switch a row on and off, and the words for it. */
const SWITCHES = {
  enabled: { header: "Enabled", on: "Enable", off: "Disable", isOn: "enabled", isOff: "disabled" },
  active: { header: "Active", on: "Activate", off: "Deactivate", isOn: "active", isOff: "inactive" },
} as const;

type SwitchField = keyof typeof SWITCHES;

/** Resources whose rows have such a field. */
type Switched<F extends SwitchField> = {
  [R in ResourceName]: Row<R> extends { readonly [field in F]: boolean } ? R : never;
}[ResourceName];

interface SwitchOptions<R extends ResourceName> {
  readonly toInput: (row: Row<R>) => Input<R>;
  readonly sorts?: boolean;
  /** What disabling does, for the dialog that asks for the reason. */
  readonly whenDisabled?: string;
}

/** The column with the switch that enables and disables a row. */
export function switchColumn<F extends SwitchField, R extends Switched<F>>(
  resource: R,
  field: F,
  { toInput, sorts = false, whenDisabled }: SwitchOptions<R>,
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
          reason={asksReason(stored, field) ? ((stored["disabledReason"] as string | null) ?? "") : null}
          toInput={(now, to, reason) => ({
            ...toInput(now),
            [field]: to,
            ...(reason !== null && { disabledReason: to || reason === "" ? null : reason }),
          })}
          label={`${id} ${field}`}
          field={field}
          disabled={!canWrite}
          whenDisabled={whenDisabled}
        />
      );
    },
  };
}

/** Whether the rows store a reason for disabling. */
function asksReason(row: Readonly<Record<string, unknown>>, field: SwitchField): boolean {
  return field === "enabled" && Object.hasOwn(row, "disabledReason");
}

/** The same switch as an action on many rows. @param asksReason their rows store a reason for disabling */
export function switchActions(
  field: SwitchField,
  { asksReason: asks = false }: { readonly asksReason?: boolean } = {},
): readonly BulkAction[] {
  const { on, off } = SWITCHES[field];
  return [
    { label: on, change: { kind: "set", field, value: true } },
    { label: off, change: { kind: "set", field, value: false }, asksReason: asks },
  ];
}

/** A row and the field that switches it on and off. */
interface RowToSwitch<R extends ResourceName> {
  resource: R;
  id: string;
  row: Row<R>;
  checked: boolean;
  /** Why the row is disabled, empty without a reason; null = rows store no reason. */
  reason: string | null;
  /** The whole input with the switch reversed. */
  toInput: (row: Row<R>, checked: boolean, reason: string | null) => Input<R>;
  field: SwitchField;
}

interface RowSwitchProps<R extends ResourceName> extends RowToSwitch<R> {
  label: string;
  disabled: boolean;
  whenDisabled: string | undefined;
}

/**
 * Switches a row on and off, at once, with an undo for eight seconds. `check` first opens a review, the `dialog`, if the
 * change gives somebody tools or calls.
 */
export function useRowSwitch<R extends ResourceName>(of: RowToSwitch<R>) {
  const { turn, isPending } = useTurn(of);
  const { review, check, isChecking, close } = useSwitchReview(of, turn);
  const dialog = review !== null && (
    <SwitchReviewDialog
      resource={of.resource}
      id={of.id}
      action={SWITCHES[of.field][review.to ? "on" : "off"]}
      review={review}
      onClose={close}
      onSave={() => {
        close();
        review.save();
      }}
    />
  );
  return { turn, check, isPending: isPending || isChecking, dialog };
}

/** A switch in a list. It shows the stored state until the save is done. A disabled row shows its reason. */
function RowSwitch<R extends ResourceName>(props: RowSwitchProps<R>) {
  const { id, checked, reason, label, disabled, whenDisabled } = props;
  const [asking, setAsking] = useState(false);
  const { turn, check, isPending, dialog } = useRowSwitch(props);
  return (
    <span className="relative z-1 flex w-fit items-center gap-2">
      {/* Without the permission, shows the state as text instead of an inactive switch. */}
      {disabled ? (
        <Badge tone={checked ? "allow" : "warn"}>{checked ? "on" : "off"}</Badge>
      ) : (
        <Switch
          aria-label={label}
          checked={checked}
          onChange={(to) => (to || reason === null ? check(to) : setAsking(true))}
          pending={isPending}
        />
      )}
      {!checked && reason !== null && reason !== "" && (
        <span className="max-w-44 truncate text-xs text-muted" title={reason}>
          {reason}
        </span>
      )}
      {asking && (
        <DisableDialog
          id={id}
          effect={whenDisabled}
          onClose={() => setAsking(false)}
          onDisable={(given) => {
            setAsking(false);
            turn(false, given);
          }}
        />
      )}
      {dialog}
    </span>
  );
}

/** A review of a switch, and the change that it shows. */
interface NeededReview extends SwitchReview {
  readonly to: boolean;
  /** Saves what was reviewed: after another save of the row in between, the server answers a conflict. */
  readonly save: () => void;
}

/** Turns a switch at once when that loosens nothing; otherwise opens its review. */
function useSwitchReview<R extends ResourceName>(
  { resource, id, row, reason, toInput }: RowToSwitch<R>,
  turn: (to: boolean) => void,
) {
  const [review, setReview] = useState<NeededReview | null>(null);
  const [isChecking, setChecking] = useState(false);
  const check = async (to: boolean) => {
    setChecking(true);
    try {
      const { reviewOf } = await import("@/components/resource/list/switch-review");
      const replaces = { id, revision: row.revision };
      const needed = await reviewOf(resource, toInput(row, !to, reason), { input: toInput(row, to, reason), replaces });
      if (needed === null) turn(to);
      else setReview({ ...needed, to, save: () => turn(to) });
    } catch (error) {
      toastFailure(`${id} was not changed`, error);
    } finally {
      setChecking(false);
    }
  };
  return { review, check: (to: boolean) => void check(to), isChecking, close: () => setReview(null) };
}

function useTurn<R extends ResourceName>({ resource, id, row, checked, reason, toInput, field }: RowToSwitch<R>) {
  const save = useSave(resource);
  const turn = (to: boolean, given = reason, from = row) =>
    // A filter or another page may remove the row before the answer, and then its own callbacks would not run.
    void save.mutateAsync({ input: toInput(from, to, given), replaces: { id, revision: from.revision } }).then(
      (now) =>
        toast({
          title: `${id} is ${SWITCHES[field][to ? "isOn" : "isOff"]}`,
          ...(to !== checked && { undo: () => turn(!to, reason, now) }),
        }),
      (error: unknown) => toastFailure(`${id} was not changed`, error),
    );
  return { turn, isPending: save.isPending };
}
