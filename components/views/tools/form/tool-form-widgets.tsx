import {
  enumOptionsDeselectValue,
  enumOptionsIsSelected,
  enumOptionsSelectValue,
  type FieldProps,
  type WidgetProps,
} from "@rjsf/utils";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Input } from "@/components/ui/forms/input";
import { JsonEditor } from "@/components/ui/json/json-editor";
import { Select } from "@/components/ui/forms/select";
import { Textarea } from "@/components/ui/forms/textarea";

/** A string or a number. Text that is no number is sent as it is, and the server refuses it. */
export function TextWidget({ value, schema, onChange }: WidgetProps) {
  const numeric = schema.type === "number" || schema.type === "integer";
  // `$comment` holds the schema's format (tool-form-schema.ts).
  const [example = schema.$comment] = Array.isArray(schema.examples) ? schema.examples : [];
  const control = {
    value: value === undefined || value === null ? "" : String(value),
    placeholder: example === undefined ? undefined : typeof example === "string" ? example : JSON.stringify(example),
    "aria-invalid": (numeric && Number.isNaN(Number(value ?? 0))) || undefined,
  };
  const write = (text: string) => onChange(text === "" ? undefined : text);
  if (!numeric && ((schema.maxLength ?? 0) > 250 || control.value.includes("\n")))
    return <Textarea {...control} onChange={(event) => write(event.target.value)} />;
  return (
    <Input
      {...control}
      onChange={(event) => write(event.target.value)}
      {...(numeric && { inputMode: "decimal", className: "max-w-64 tabular-nums" })}
    />
  );
}

/** One of the values that the schema names, one of several shapes, or `true` and `false`. */
export function SelectWidget(props: WidgetProps) {
  const { value, required, onChange, options, label, name, schema, multiple = false } = props;
  if (multiple) return <Checkboxes {...props} />;
  const choices = (options.enumOptions ?? []).map((option, index) => ({
    value: String(index),
    label: schema.type === "boolean" ? String(option.value) : (option.label ?? String(option.value)),
  }));
  const selectsShape = name.endsWith("__oneof_select");
  const chosen = (options.enumOptions ?? []).findIndex((option) => enumOptionsIsSelected(option.value, value));
  const isAlwaysSent = required === true || selectsShape;
  return (
    <Select
      {...(selectsShape && { "aria-label": `Kind of ${label}` })}
      value={chosen >= 0 ? String(chosen) : isAlwaysSent ? null : ""}
      onChange={(next) => onChange(next === "" ? undefined : options.enumOptions?.[Number(next)]?.value)}
      options={isAlwaysSent ? choices : [{ value: "", label: "Not sent" }, ...choices]}
      placeholder={isAlwaysSent ? undefined : "Not sent"}
      className="max-w-64"
    />
  );
}

/** Any of the values that the schema names. */
function Checkboxes({ value, options, onChange }: WidgetProps) {
  const values: unknown[] = Array.isArray(value) ? value : [];
  const { enumOptions = [] } = options;
  return enumOptions.map((option, index) => (
    <Checkbox
      key={index}
      label={option.label}
      checked={enumOptionsIsSelected(option.value, values)}
      onChange={(checked) =>
        onChange((checked ? enumOptionsSelectValue : enumOptionsDeselectValue)(index, values, enumOptions))
      }
    />
  ));
}

/** The shared context of a form's fields. */
export interface FormContext {
  /** Called with the id of a field and the problem that blocks sending; `null` = fixed. */
  readonly block: (id: string, problem: string | null) => void;
}

/** A value without a control, edited as JSON. */
export function JsonField({ formData, onChange, fieldPathId, registry, name }: FieldProps) {
  const { $id: id, path } = fieldPathId;
  const { block } = registry.formContext as FormContext;
  return (
    <JsonEditor
      value={formData}
      onChange={(value) => onChange(value ?? undefined, path)}
      onProblem={(problem) => block(id, problem)}
      emptyAs={null}
      rows={3}
      placeholder="JSON"
      aria-label={name}
    />
  );
}
