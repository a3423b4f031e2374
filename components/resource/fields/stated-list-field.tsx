import { useState, type ReactNode } from "react";
import type { Bound } from "@/components/resource/editor/bind";
import { Chips, type ComboboxProps } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { Segmented } from "@/components/ui/forms/segmented";

type Mode = "unstated" | "none" | "all" | "these";

interface StatedListFieldProps extends Pick<ComboboxProps, "options" | "onType" | "empty"> {
  label: string;
  /** The label is read out but not shown, and no mode explained: for rows whose header says it. */
  hideLabel?: boolean | undefined;
  hint?: ReactNode;
  /** The modes that exist here, and what each means: "Not set: in the group default". */
  modes: Partial<Record<Mode, { label: string; means: string }>>;
  /** Allows only the options. */
  strict?: boolean | undefined;
  mono?: boolean | undefined;
}

/**
 * A list with three special values: not set (`null`), none (`[]`) and all (`["*"]`). Each has a name, so that no empty box
 * is ambiguous.
 */
export function StatedListField({
  path,
  value,
  onChange,
  readOnly,
  of,
  label,
  hideLabel,
  hint,
  modes,
  strict = false,
  mono,
  ...search
}: Bound<string[] | null> & StatedListFieldProps) {
  // "These" without a selection is stored as none, so this state remembers that the person is still selecting.
  const [choosing, setChoosing] = useState(false);
  const stored = modeOf(value, modes);
  const mode = stored === "none" && choosing ? "these" : stored;
  const choose = (next: Mode) => {
    setChoosing(next === "these");
    onChange(next === "unstated" ? null : next === "all" ? ["*"] : next === "these" && stored === "these" ? value : []);
  };
  const offered = (["unstated", "none", "all", "these"] as const).filter((each) => modes[each] !== undefined);
  return (
    <Field
      label={label}
      hideLabel={hideLabel}
      hint={hideLabel === true ? hint : (modes[mode]?.means ?? hint)}
      error={of.errorBelow(path)}
      path={path}
      group
    >
      <Segmented
        label={label}
        value={mode}
        onChange={choose}
        disabled={readOnly}
        options={offered.map((each) => ({ value: each, label: modes[each]?.label ?? each }))}
      />
      {mode === "these" && (
        <Chips
          aria-label={`${label}: these`}
          value={value ?? []}
          onChange={(next) => {
            setChoosing(true);
            onChange(next);
          }}
          {...search}
          creatable={!strict}
          disabled={readOnly}
          placeholder={strict ? "Select…" : "Type and press Enter"}
          mono={mono}
        />
      )}
    </Field>
  );
}

function modeOf(value: readonly string[] | null, modes: StatedListFieldProps["modes"]): Mode {
  if (value === null) return "unstated";
  if (value.length === 0) return "none";
  return value.length === 1 && value[0] === "*" && modes.all !== undefined ? "all" : "these";
}
