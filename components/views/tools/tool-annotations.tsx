import { toOptions } from "@/components/ui/forms/options";
import type { Bound } from "@/components/resource/editor/bind";
import { Field } from "@/components/ui/forms/field";
import { Segmented } from "@/components/ui/forms/segmented";
import type { Input } from "@/lib/resources";

type Annotations = Input<"tools">["annotations"];
type Hint = "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint";
type HintValue = "unstated" | "yes" | "no";

const HINTS: readonly { key: Hint; label: string }[] = [
  { key: "readOnlyHint", label: "Read-only" },
  { key: "destructiveHint", label: "Destructive" },
  { key: "idempotentHint", label: "Idempotent" },
  { key: "openWorldHint", label: "Reaches external systems" },
];

/** The hints of the Model Context Protocol; not set is not the same as no. */
export function ToolAnnotations({ bound }: { bound: Bound<Annotations> }) {
  const setHint = (key: Hint, value: HintValue) => {
    const { [key]: _was, ...others } = bound.value;
    bound.onChange(value === "unstated" ? others : { ...others, [key]: value === "yes" });
  };
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {HINTS.map(({ key, label }) => {
        const stated = bound.value[key];
        return (
          <Field key={key} label={label} path={`${bound.path}.${key}`} group>
            <Segmented
              label={label}
              value={stated === undefined ? "unstated" : stated ? "yes" : "no"}
              onChange={(value: HintValue) => setHint(key, value)}
              disabled={bound.readOnly}
              options={toOptions({ unstated: "Not set", yes: "Yes", no: "No" })}
            />
          </Field>
        );
      })}
    </div>
  );
}
