import type { Bound } from "@/components/resource/editor/bind";
import { Field, type FieldWords } from "@/components/ui/forms/field";
import { JsonEditor } from "@/components/ui/json/json-editor";

interface JsonFieldProps extends FieldWords {
  /** An empty text means not stated (`null`). */
  nullable?: boolean | undefined;
  rows?: number | undefined;
}

/** A field that is edited as JSON. The schema validates it when the draft is reviewed. */
export function JsonField<V>({
  value,
  onChange,
  readOnly,
  nullable = false,
  rows,
  ...field
}: Bound<V> & JsonFieldProps) {
  return (
    <Field {...field} error={field.of.errorBelow(field.path)}>
      <JsonEditor
        value={value}
        onChange={(next) => onChange(next as V)}
        onProblem={(problem) => field.of.block(field.path, problem)}
        {...(nullable && { emptyAs: null })}
        readOnly={readOnly}
        rows={rows}
      />
    </Field>
  );
}
