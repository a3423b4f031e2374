import { useState } from "react";
import type { Bound } from "@/components/resource/editor/bind";
import { useReported } from "@/components/ui/forms/use-reported";
import { Field, type FieldWords } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";

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
  const [typed, setTyped] = useState<{ text: string; of: number | null } | null>(null);
  const text = typed !== null && typed.of === value ? typed.text : value === null ? "" : String(value);
  useReported(isWrong(text, required) ? "Enter a number" : null, (problem) => field.of.block(field.path, problem));
  const type = (next: string) => {
    const wrong = isWrong(next, required);
    const number = next.trim() === "" ? null : Number(next);
    setTyped({ text: next, of: wrong ? value : number });
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

function isWrong(text: string, required: boolean): boolean {
  return text.trim() === "" ? required : !Number.isFinite(Number(text));
}
