import type { Bound } from "@/components/resource/editor/bind";
import { Chips, type ComboboxProps } from "@/components/ui/forms/combobox";
import { Field, type FieldWords } from "@/components/ui/forms/field";

interface ChipsFieldProps extends FieldWords, Pick<ComboboxProps, "onType" | "empty"> {
  placeholder?: string | undefined;
  /** The options; absent: free text only. */
  options?: ComboboxProps["options"] | undefined;
  /** Allows only the options. */
  strict?: boolean | undefined;
  mono?: boolean | undefined;
}

const NONE: ComboboxProps["options"] = [];

/** A list of words. */
export function ChipsField({
  value,
  onChange,
  readOnly,
  placeholder,
  options = NONE,
  onType,
  empty,
  strict = false,
  mono,
  ...field
}: Bound<string[]> & ChipsFieldProps) {
  return (
    <Field {...field} error={field.of.errorBelow(field.path)}>
      <Chips
        value={value}
        onChange={onChange}
        options={options}
        onType={onType}
        empty={empty}
        creatable={!strict}
        disabled={readOnly}
        placeholder={placeholder ?? (strict ? "Select…" : "Type and press Enter")}
        mono={mono}
      />
    </Field>
  );
}
