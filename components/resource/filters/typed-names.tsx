import { Combobox, type ComboboxProps } from "@/components/ui/forms/combobox";

/** A filter by a name that a person types, for more names than a menu holds. */
export function TypedNames({
  label,
  ...picker
}: Pick<ComboboxProps, "options" | "onType" | "empty" | "value" | "onChange"> & { label: string }) {
  return (
    <>
      {picker.value !== null && <span className="mr-1">{label}:</span>}
      <Combobox {...picker} aria-label={label} placeholder={label} className="w-44 text-ink" />
    </>
  );
}
