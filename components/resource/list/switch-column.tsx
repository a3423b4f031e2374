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

interface RowSwitchProps<R extends ResourceName> {
  resource: R;
  id: string;
  row: Row<R>;
  checked: boolean;
  /** Why the row is disabled, empty without a reason; null = rows store no reason. */
  reason: string | null;
  /** The whole input with the switch reversed. */
  toInput: (row: Row<R>, checked: boolean, reason: string | null) => Input<R>;
  label: string;
  field: SwitchField;
  disabled: boolean;
  whenDisabled: string | undefined;
}

/**
 * A switch in a list. It saves at once and shows the stored state until the save is done. An undo is offered for eight
 * seconds. A change that gives somebody tools or calls is reviewed first. A disabled row shows its reason.
 */
function RowSwitch<R extends ResourceName>(props: RowSwitchProps<R>) {
  const { resource, id, checked, reason, label, field, disabled, whenDisabled } = props;
  const [asking, setAsking] = useState(false);
  const { turn, isPending } = useTurn(props);
  const { review, check, isChecking, close } = useSwitchReview(props, turn);
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
          pending={isPending || isChecking}
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
      {review !== null && (
        <SwitchReviewDialog
          resource={resource}
          id={id}
          action={SWITCHES[field][review.to ? "on" : "off"]}
          review={review}
          onClose={close}
          onSave={() => {
            close();
            review.save();
          }}
        />
      )}
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
  { resource, id, row, reason, toInput }: RowSwitchProps<R>,
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
      toastFailure(`${id} was not changed`, error as Error);
    } finally {
      setChecking(false);
    }
  };
  return { review, check: (to: boolean) => void check(to), isChecking, close: () => setReview(null) };
}

function useTurn<R extends ResourceName>({ resource, id, row, checked, reason, toInput, field }: RowSwitchProps<R>) {
  const save = useSave(resource);
  const turn = (to: boolean, given = reason, from = row) =>
    // A filter or another page may remove the row before the answer, and then its own callbacks would not run.
    void save.mutateAsync({ input: toInput(from, to, given), replaces: { id, revision: from.revision } }).then(
      (now) =>
        toast({
          title: `${id} is ${SWITCHES[field][to ? "isOn" : "isOff"]}`,
          ...(to !== checked && { undo: () => turn(!to, reason, now) }),
        }),
      (error: Error) => toastFailure(`${id} was not changed`, error),
    );
  return { turn, isPending: save.isPending };
}
