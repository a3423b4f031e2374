import type { Bound } from "@/components/resource/editor/bind";
import { Combobox, type ComboboxOption } from "@/components/ui/forms/combobox";
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
  placeholder,
  ...field
}: Bound<string | null> & FieldWords & { options: readonly ComboboxOption[]; placeholder?: string }) {
  return (
    <Field {...field}>
      <Combobox
        value={value}
        onChange={onChange}
        options={options}
        disabled={readOnly}
        placeholder={placeholder ?? "None"}
      />
    </Field>
  );
}
