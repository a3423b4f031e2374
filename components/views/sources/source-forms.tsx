import type { ComponentType } from "react";
import { bind } from "@/components/resource/editor/bind";
import { OptionalTextField } from "@/components/resource/fields/text-field";
import type { FieldsProps } from "@/components/resource/view";
import { McpServer } from "@/components/views/sources/mcp-server";
import type { SourceKind } from "@/lib/resources/source-kinds";

type SourceForm = ComponentType<Pick<FieldsProps<"sources">, "draft">>;

/** The fields that only sources of one kind have; `null` = none. The other fields follow from the table of kinds. */
export const SOURCE_FORMS: Readonly<Record<SourceKind, SourceForm | null>> = {
  openapi: DocumentUrl,
  mcp: McpServer,
  http: null,
  script: null,
  builtin: null,
};

function DocumentUrl({ draft }: Pick<FieldsProps<"sources">, "draft">) {
  return (
    <OptionalTextField
      {...bind(draft, "url")}
      label="URL"
      hint="The address of the document. A sync reads it again"
      mono
    />
  );
}
