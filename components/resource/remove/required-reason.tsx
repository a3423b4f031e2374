import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";

interface RequiredReasonProps {
  value: string;
  onChange: (reason: string) => void;
  error?: string | undefined;
  /** Who reads it. */
  hint?: string;
}

/** The field for the reason why something is stopped or disabled. */
export function RequiredReason({
  value,
  onChange,
  error,
  hint = "Shown in lists, and to agents that lose access",
}: RequiredReasonProps) {
  return (
    <Field label="Reason (required)" hint={hint} error={error}>
      <Textarea value={value} maxLength={500} onChange={(event) => onChange(event.target.value)} />
    </Field>
  );
}
