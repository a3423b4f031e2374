import { bind } from "@/components/resource/editor/bind";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { OptionalNumberField } from "@/components/resource/fields/number-field";
import { useTypedNames } from "@/components/resource/use-names";
import type { FieldsProps } from "@/components/resource/view";
import { Field } from "@/components/ui/forms/field";
import { toOptions } from "@/components/ui/forms/options";
import { Segmented } from "@/components/ui/forms/segmented";
import { TextLink } from "@/components/ui/text-link";
import { can, ROLES } from "@/lib/resources/permissions";

/** The effects of policies, as options. */
export const EFFECTS = toOptions({ allow: "Allow", deny: "Deny", request: "Request" });
const EFFECT_HINTS = {
  allow: "Matching callers get the tools",
  deny: "Matching callers never get the tools, even if another policy allows them",
  request: "Matching callers may request the tools. A person grants each request for a limited time",
};

/** The longest grant of a new request policy. */
const DEFAULT_HOURS = 8;

const APPROVING = ROLES.filter((role) => can(role, "calls:approve"));

/** What a policy does with the tools, and the fields that only one effect has. */
export function EffectFields({ draft }: Pick<FieldsProps<"policies">, "draft">) {
  return (
    <>
      <Field
        label="Effect"
        path="effect"
        error={draft.error("effect")}
        hint={
          <>
            {EFFECT_HINTS[draft.value.effect]}. Approval of each call is set on the tab Approval of a{" "}
            <TextLink href="/admin/tools">tool</TextLink>
          </>
        }
        group
      >
        <Segmented
          label="Effect"
          value={draft.value.effect}
          onChange={(effect) => {
            draft.set("effect", effect);
            draft.set("maxHours", effect === "request" ? DEFAULT_HOURS : null);
            draft.set("approvers", null);
          }}
          disabled={draft.readOnly}
          options={EFFECTS}
        />
      </Field>
      {draft.value.effect === "request" && <RequestFields draft={draft} />}
    </>
  );
}

/** The fields that only a request policy has: the longest grant, and the people who may give one. */
function RequestFields({ draft }: Pick<FieldsProps<"policies">, "draft">) {
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
