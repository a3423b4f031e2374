import type { ReactNode } from "react";
import type { Bound } from "@/components/resource/editor/bind";
import { Combobox, type ComboboxOption } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { Select, type SelectOption } from "@/components/ui/forms/select";

interface Shared {
  label: string;
  hint?: ReactNode;
  className?: string | undefined;
}

/** One of a few. */
export function ChoiceField<V extends string>({
  path,
  value,
  onChange,
  error,
  readOnly,
  label,
  hint,
  options,
  className,
}: Bound<V> & Shared & { options: readonly SelectOption<V>[] }) {
  return (
    <Field label={label} hint={hint} error={error} name={path} className={className}>
      <Select value={value} onChange={onChange} options={options} disabled={readOnly} />
    </Field>
  );
}

/** The name of another row, or nothing. */
export function ReferenceField({
  path,
  value,
  onChange,
  error,
  readOnly,
  label,
  hint,
  options,
  placeholder,
  className,
}: Bound<string | null> & Shared & { options: readonly ComboboxOption[]; placeholder?: string }) {
  return (
    <Field label={label} hint={hint} error={error} name={path} className={className}>
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
