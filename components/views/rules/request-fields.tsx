import { bind } from "@/components/resource/editor/bind";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { OptionalNumberField } from "@/components/resource/fields/number-field";
import { useTypedNames } from "@/components/resource/use-names";
import type { FieldsProps } from "@/components/resource/view";
import { can, ROLES } from "@/lib/resources/permissions";

const APPROVING = ROLES.filter((role) => can(role, "calls:approve"));

/** The fields that only a request policy has: the longest grant, and the people who may give one. */
export function RequestFields({ draft }: Pick<FieldsProps<"policies">, "draft">) {
  const { picker } = useTypedNames("users");
  const { value, onChange, ...bound } = bind(draft, "approvers");
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <OptionalNumberField {...bind(draft, "maxHours")} label="Longest grant (hours)" hint="1 to 720" />
      <ChipsField
        {...bound}
        {...picker}
        value={[...(value ?? [])]}
        onChange={(next) => onChange(next.length === 0 ? null : next)}
        label="Approvers"
        hint="People or roles. Leave empty for everyone who may approve calls"
        options={[...APPROVING.map((role) => ({ value: role, hint: "Role" })), ...picker.options]}
      />
    </div>
  );
}
