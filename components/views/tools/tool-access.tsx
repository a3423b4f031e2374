import { WhoSees } from "@/components/preview/inputs/who-sees";
import type { Row } from "@/lib/resources";

/** The callers that see a tool, with reasons. */
export function ToolAccess({ row }: { row: Row<"tools"> }) {
  return <WhoSees about={{ kind: "tool", name: row.id }} />;
}
