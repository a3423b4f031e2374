import { NAME_COLUMN, textColumn } from "@/components/resource/columns";
import { bind } from "@/components/resource/editor/bind";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { Section } from "@/components/resource/section";
import type { FieldsProps, View } from "@/components/resource/view";
import { changedColumn, descriptionColumn } from "@/components/views/changed-column";
import { NameAndDescription } from "@/components/views/name-field";
import { SampleClaims } from "@/components/views/rules/sample-claims";
import { withoutMeta } from "@/components/views/row-input";

function Fields({ draft }: FieldsProps<"personas">) {
  return (
    <>
      <Section title="Persona" description="Tools can require capabilities. A persona grants them.">
        <NameAndDescription draft={draft} />
        <ChipsField
          {...bind(draft, "capabilities")}
          label="Capabilities"
          hint="Such as files.read, or files.* for everything below files"
          mono
        />
      </Section>
      <Section title="Sample claims" description="Typical claims of such a caller. Previews start with them.">
        <SampleClaims {...bind(draft, "sampleClaims")} />
      </Section>
    </>
  );
}

/** Personas: sets of granted capabilities. */
export const personas: View<"personas"> = {
  sort: "name",
  columns: [
    NAME_COLUMN,
    descriptionColumn(),
    textColumn("capabilities", "Capabilities", (row) => row.capabilities.join(", "), {
      className: "max-w-96",
      mono: true,
    }),
    changedColumn(),
  ],
  blank: { name: "", description: "", capabilities: [], sampleClaims: {} },
  toInput: withoutMeta,
  Fields,
};
