import type { Bound } from "@/components/resource/editor/bind";
import { useReported } from "@/components/ui/forms/use-reported";
import { Field, type FieldWords } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { useTypedText } from "@/components/ui/forms/use-typed-text";

interface NumberFieldProps extends FieldWords {
  placeholder?: string | undefined;
}

/** A number that is always stated. Text that is no number yet holds back the save. */
export function NumberField({ value, onChange, ...rest }: Bound<number> & NumberFieldProps) {
  return <Digits {...rest} value={value} onChange={(next) => next !== null && onChange(next)} required />;
}

/** A number that may be left out. */
export function OptionalNumberField(props: Bound<number | null> & NumberFieldProps) {
  return <Digits {...props} />;
}

function Digits({
  value,
  onChange,
  readOnly,
  placeholder,
  required = false,
  ...field
}: Bound<number | null> & NumberFieldProps & { required?: boolean | undefined }) {
  const [text, keep] = useTypedText(toText(value));
  useReported(isWrong(text, required) ? "Enter a number" : null, (problem) => field.of.block(field.path, problem));
  const type = (next: string) => {
    const wrong = isWrong(next, required);
    const number = next.trim() === "" ? null : Number(next);
    keep(next, toText(wrong ? value : number));
    if (!wrong) onChange(number);
  };
  return (
    <Field {...field}>
      <Input
        inputMode="decimal"
        value={text}
        placeholder={placeholder}
        onChange={(event) => type(event.target.value)}
        disabled={readOnly}
        className="tabular-nums"
      />
    </Field>
  );
}

function toText(value: number | null): string {
  return value === null ? "" : String(value);
}

function isWrong(text: string, required: boolean): boolean {
  return text.trim() === "" ? required : !Number.isFinite(Number(text));
}
