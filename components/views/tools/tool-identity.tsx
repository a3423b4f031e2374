import type { Draft } from "@/components/resource/editor/draft";
import { useList } from "@/components/resource/list/use-list";
import { Combobox } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { Input as TextInput } from "@/components/ui/forms/input";
import { CODE_KIND } from "@/lib/access/model/configuration";
import type { Input } from "@/lib/resources";

/** Source and operation: together the id, `source:operation`, which never changes. */
export function ToolIdentity({ draft }: { draft: Draft<Input<"tools">> }) {
  // A `builtin` source only has the tools in code. A tool that is added to it would never run.
  const sources = useList("sources", { limit: 500 })
    .rows.filter(({ kind }) => kind !== CODE_KIND)
    .map((row) => ({ value: row.name, hint: row.description === "" ? undefined : row.description }));
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
      <Field label="Source" path="source" error={draft.error("source")}>
        <Combobox
          value={source === "" ? null : source}
          onChange={(next) => identify(next ?? "", operation)}
          options={sources}
          placeholder="Choose a source"
          empty={sources.length === 0 ? "Create a source first. Built-in sources accept no tools" : undefined}
          clearable={false}
        />
      </Field>
      <Field
        label="Operation"
        path="id"
        error={draft.error("operation") ?? draft.error("id")}
        hint="The name of the tool at the source. It cannot be changed later"
      >
        <TextInput mono value={operation} onChange={(event) => identify(source, event.target.value)} />
      </Field>
    </div>
  );
}
