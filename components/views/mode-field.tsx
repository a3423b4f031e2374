import { bind } from "@/components/resource/editor/bind";
import type { FieldsProps } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { Field } from "@/components/ui/forms/field";
import { toOptions } from "@/components/ui/forms/options";
import { Segmented } from "@/components/ui/forms/segmented";
import type { RuleMode } from "@/lib/access/model/configuration";

/** The modes of a rule, in words. */
export const MODE_OPTIONS = toOptions({ enforce: "Enforce", observe: "Observe" });

const HINTS: Record<RuleMode, string> = {
  enforce: "While active, the rule decides",
  observe: "The rule has no effect. Quartermaster records what it would change",
};

interface ModeFieldProps {
  draft: FieldsProps<"policies">["draft"] | FieldsProps<"flows">["draft"];
}

/** Selects whether a rule decides, or only counts what it would change. */
export function ModeField({ draft }: ModeFieldProps) {
  const { value, onChange, error, readOnly } = bind(draft as FieldsProps<"policies">["draft"], "mode");
  return (
    <Field label="Mode" path="mode" error={error} hint={HINTS[value]} group>
      <Segmented label="Mode" value={value} onChange={onChange} disabled={readOnly} options={MODE_OPTIONS} />
    </Field>
  );
}

/** Marks a rule that has no effect yet. */
export function ObservedBadge({ mode }: { mode: RuleMode }) {
  return mode === "observe" ? <Badge tone="outline">observed</Badge> : null;
}
