import { NAME_COLUMN } from "@/components/resource/columns";
import { bind } from "@/components/resource/editor/bind";
import { StatedListField } from "@/components/resource/fields/stated-list-field";
import { Section } from "@/components/resource/section";
import { useNamesWithStaged } from "@/components/resource/use-names";
import type { FieldsProps, View } from "@/components/resource/view";
import { changedColumn, descriptionColumn } from "@/components/views/changed-column";
import { NameAndDescription } from "@/components/views/name-field";
import { withoutMeta } from "@/components/views/row-input";

function Fields({ draft }: FieldsProps<"intents">) {
  const groups = useNamesWithStaged("groups").picker;
  const served = bind(draft, "groups");
  return (
    <Section
      title="Intent"
      description="An intent limits the tools of a caller to these groups, depending on the confidence. Intents never add tools."
    >
      <NameAndDescription draft={draft} />
      <StatedListField
        {...served}
        onChange={(next) => served.onChange(next ?? [])}
        label="Groups of the intent"
        {...groups}
        strict
        modes={{
          none: { label: "None", means: "No groups" },
          all: { label: "All", means: "Every group. The intent removes no tools" },
          these: { label: "These", means: "Only the tools of these groups" },
        }}
      />
    </Section>
  );
}

/** Intents and the groups that serve them. */
export const intents: View<"intents"> = {
  sort: "name",
  columns: [
    NAME_COLUMN,
    {
      id: "groups",
      header: "Groups",
      className: "max-w-72",
      cell: (row) => (
        <span className="block min-w-48 truncate text-muted">
          {row.groups.length === 0 ? "none" : row.groups.map((group) => (group === "*" ? "all" : group)).join(", ")}
        </span>
      ),
    },
    descriptionColumn(),
    changedColumn(),
  ],
  blank: { name: "", description: "", groups: [] },
  toInput: withoutMeta,
  Fields,
};
