import type { ReactNode } from "react";
import type { Bound } from "@/components/resource/editor/bind";
import { Field } from "@/components/ui/forms/field";
import { JsonEditor } from "@/components/ui/json/json-editor";

interface JsonFieldProps {
  label: string;
  hint?: ReactNode;
  /** An empty text means not stated (`null`). */
  nullable?: boolean | undefined;
  rows?: number | undefined;
  className?: string | undefined;
}

/** A field that is edited as JSON. The schema validates it when the draft is reviewed. */
export function JsonField<V>({
  path,
  value,
  onChange,
  readOnly,
  of,
  label,
  hint,
  nullable = false,
  rows,
  className,
}: Bound<V> & JsonFieldProps) {
  return (
    <Field label={label} hint={hint} error={of.errorBelow(path)} name={path} className={className}>
      <JsonEditor
        value={value}
        onChange={(next) => onChange(next as V)}
        onProblem={(problem) => of.block(path, problem)}
        {...(nullable && { emptyAs: null })}
        readOnly={readOnly}
        rows={rows}
      />
    </Field>
  );
}
