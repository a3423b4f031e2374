"use client";

import { WhoSees } from "@/components/preview/inputs/who-sees";
import type { Row } from "@/lib/resources";

/** Who sees a tool and why. */
export function ToolAccess({ row }: { row: Row<"tools"> }) {
  return <WhoSees about={{ kind: "tool", name: row.id }} />;
}
