import type { Json } from "@/lib/access/model/configuration";
import { hiddenCodes } from "@/lib/access/model/hidden-characters";
import type { ConfigDocument } from "@/lib/config/document";
import type { DocumentProblem } from "@/lib/config/problems";

/** Fields that models read. */
const MODEL_FIELDS = [
  "displayName",
  "description",
  "guidance",
  "inputSchema",
  "outputSchema",
  "annotations",
  "tags",
  "mcp",
] as const;

/** Warns of characters that no reader sees, in texts of a document's changed tools and groups. */
export function hiddenTexts(
  { tools = [], groups = [] }: ConfigDocument,
  changes: readonly { readonly resource: string; readonly id: string }[],
): DocumentProblem[] {
  const changed = new Set(changes.map(({ resource, id }) => `${resource}[${id}]`));
  const rows = [
    ...tools.map((row) => [`tools[${row.id}]`, row] as const),
    ...groups.map((row) => [`groups[${row.name}]`, row] as const),
  ];
  return rows.flatMap(([at, row]) =>
    (changed.has(at) ? MODEL_FIELDS : []).flatMap((field) => {
      const codes = hiddenCodes(((row as Readonly<Record<string, unknown>>)[field] ?? null) as Json);
      if (codes === "") return [];
      return [{ path: `${at}.${field}`, message: `contains hidden characters: ${codes}` }];
    }),
  );
}
