import type { ReactNode } from "react";
import type { Bound } from "@/components/resource/editor/bind";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Textarea } from "@/components/ui/forms/textarea";
import { VisibleText } from "@/components/ui/visible-text";
import { hiddenCharacters } from "@/lib/access/model/hidden-characters";

interface Shared {
  label: string;
  hint?: ReactNode;
  placeholder?: string | undefined;
  mono?: boolean | undefined;
  multiline?: boolean | undefined;
  className?: string | undefined;
  hideLabel?: boolean | undefined;
  disabled?: boolean | undefined;
}

/** Text that is always stated, be it empty. */
export function TextField({ value, onChange, ...rest }: Bound<string> & Shared) {
  return <Line {...rest} value={value} onChange={onChange} />;
}

/** Text that may be left out: empty means not stated (`null`). */
export function OptionalTextField({ value, onChange, ...rest }: Bound<string | null> & Shared) {
  return <Line {...rest} value={value ?? ""} onChange={(text) => onChange(text === "" ? null : text)} />;
}

function Line({
  path,
  label,
  hint,
  error,
  value,
  onChange,
  readOnly,
  placeholder,
  mono,
  multiline = false,
  className,
  hideLabel,
  disabled,
}: Omit<Bound<string>, "of"> & Shared) {
  const control = { value, placeholder, mono, disabled: readOnly || disabled === true };
  return (
    <Field label={label} hint={hint} error={error} name={path} className={className} hideLabel={hideLabel}>
      {multiline ? (
        <Textarea {...control} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <Input {...control} onChange={(event) => onChange(event.target.value)} />
      )}
      {hiddenCharacters(value).length > 0 && (
        <p className="text-xs break-words text-muted">
          With its hidden characters: <VisibleText text={value} />
        </p>
      )}
    </Field>
  );
}
