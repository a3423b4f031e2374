import type { Bound } from "@/components/resource/editor/bind";
import { Field, type FieldWords } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Textarea } from "@/components/ui/forms/textarea";
import { VisibleText } from "@/components/ui/visible-text";
import { hiddenCharacters } from "@/lib/access/model/hidden-characters";

interface TextFieldProps extends FieldWords {
  placeholder?: string | undefined;
  mono?: boolean | undefined;
  multiline?: boolean | undefined;
  hideLabel?: boolean | undefined;
  disabled?: boolean | undefined;
}

/** Text that is always stated, be it empty. */
export function TextField({ value, onChange, ...rest }: Bound<string> & TextFieldProps) {
  return <Line {...rest} value={value} onChange={onChange} />;
}

/** Text that may be left out: empty means not stated (`null`). */
export function OptionalTextField({ value, onChange, ...rest }: Bound<string | null> & TextFieldProps) {
  return <Line {...rest} value={value ?? ""} onChange={(text) => onChange(text === "" ? null : text)} />;
}

function Line({
  value,
  onChange,
  readOnly,
  placeholder,
  mono,
  multiline = false,
  disabled,
  ...field
}: Omit<Bound<string>, "of"> & TextFieldProps) {
  const control = { value, placeholder, mono, disabled: readOnly || disabled === true };
  return (
    <Field {...field}>
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
