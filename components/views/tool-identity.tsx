"use client";

import type { Draft } from "@/components/resource/draft";
import { useNames } from "@/components/resource/use-names";
import { Combobox } from "@/components/ui/combobox";
import { Field } from "@/components/ui/field";
import { Input as TextInput } from "@/components/ui/input";
import type { Input } from "@/lib/resources";

/** Source and operation: together the id, `source:operation`, which never changes. */
export function ToolIdentity({ draft }: { draft: Draft<Input<"tools">> }) {
  const sources = useNames("sources");
  const { source, operation, name } = draft.value;
  const identify = (nextSource: string, nextOperation: string) => {
    draft.set("source", nextSource);
    draft.set("operation", nextOperation);
    draft.set("id", `${nextSource}:${nextOperation}`);
    // The exposed name is the operation until someone says otherwise.
    if (name === operation) draft.set("name", nextOperation);
  };
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label="Source" name="source" error={draft.error("source")}>
        <Combobox
          value={source === "" ? null : source}
          onChange={(next) => identify(next ?? "", operation)}
          options={sources}
          placeholder="Choose a source"
          clearable={false}
        />
      </Field>
      <Field
        label="Operation"
        name="id"
        error={draft.error("operation") ?? draft.error("id")}
        hint="Its name at the source; it never changes."
      >
        <TextInput mono value={operation} onChange={(event) => identify(source, event.target.value)} />
      </Field>
    </div>
  );
}
