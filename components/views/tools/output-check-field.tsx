import type { Bound } from "@/components/resource/editor/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import type { SourceRow } from "@/lib/resources/source";

type OutputCheck = SourceRow["outputCheck"];

/** The handling of results that do not match the output schema. @param inherited the value that applies when unset */
export function OutputCheckField({ bound, inherited }: { bound: Bound<OutputCheck>; inherited: string }) {
  return (
    <ChoiceField
      {...bound}
      value={bound.value ?? "inherit"}
      onChange={(value) => bound.onChange(value === "inherit" ? null : value)}
      label="Results that do not match the output schema"
      hint="“Pass on” returns the result with a warning. “Withhold” fails the call, although the tool has run"
      className="max-w-96"
      options={[
        { value: "inherit", label: inherited },
        { value: "warn", label: "Pass on with warning" },
        { value: "withhold", label: "Withhold" },
      ]}
    />
  );
}
