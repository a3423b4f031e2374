import type { ReactNode } from "react";
import type { Bound } from "@/components/resource/editor/bind";
import { Chips, type ComboboxOption } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";

interface ChipsFieldProps {
  label: string;
  hint?: ReactNode;
  placeholder?: string | undefined;
  /** The options; absent: free text only. */
  options?: readonly ComboboxOption[] | undefined;
  /** Allows only the options. */
  strict?: boolean | undefined;
  mono?: boolean | undefined;
  className?: string | undefined;
}

const NONE: readonly ComboboxOption[] = [];

/** A list of words. */
export function ChipsField({
  path,
  value,
  onChange,
  readOnly,
  of,
  label,
  hint,
  placeholder,
  options = NONE,
  strict = false,
  mono,
  className,
}: Bound<string[]> & ChipsFieldProps) {
  return (
    <Field label={label} hint={hint} error={of.errorBelow(path)} name={path} className={className}>
      <Chips
        value={value}
        onChange={onChange}
        options={options}
        creatable={!strict}
        disabled={readOnly}
        placeholder={placeholder ?? (strict ? "Select…" : "Type and press Enter")}
        mono={mono}
      />
    </Field>
  );
}
