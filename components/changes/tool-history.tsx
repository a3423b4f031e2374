import { RowHistory } from "@/components/changes/row-history";
import type { Row } from "@/lib/resources";

/** The changes of a tool and their authors. */
export function ToolHistory({ row }: { row: Row<"tools"> }) {
  return <RowHistory resource="tools" id={row.id} />;
}
