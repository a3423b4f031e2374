import type { Bound } from "@/components/resource/editor/bind";
import { Combobox, type ComboboxProps } from "@/components/ui/forms/combobox";
import { Field, type FieldWords } from "@/components/ui/forms/field";
import { Select, type SelectOption } from "@/components/ui/forms/select";

/** One of a few. */
export function ChoiceField<V extends string>({
  value,
  onChange,
  readOnly,
  options,
  ...field
}: Bound<V> & FieldWords & { options: readonly SelectOption<V>[] }) {
  return (
    <Field {...field}>
      <Select value={value} onChange={onChange} options={options} disabled={readOnly} />
    </Field>
  );
}

/** The name of another row, or nothing. */
export function ReferenceField({
  value,
  onChange,
  readOnly,
  options,
  onType,
  empty,
  placeholder,
  ...field
}: Bound<string | null> & FieldWords & Pick<ComboboxProps, "options" | "onType" | "empty" | "placeholder">) {
  return (
    <Field {...field}>
      <Combobox
        value={value}
        onChange={onChange}
        options={options}
        onType={onType}
        empty={empty}
        disabled={readOnly}
        placeholder={placeholder ?? "None"}
      />
    </Field>
  );
}
