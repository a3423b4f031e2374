"use client";

import { RowHistory } from "@/components/changes/row-history";
import type { Row } from "@/lib/resources";

/** Who changed a tool, and what. */
export function ToolHistory({ row }: { row: Row<"tools"> }) {
  return <RowHistory resource="tools" id={row.id} />;
}
