import { WhoSees } from "@/components/preview/inputs/who-sees";
import { GrantedAccess } from "@/components/requests/granted-access";
import type { Row } from "@/lib/resources";

/** The callers that see a tool, with reasons, and those that have it for a time. */
export function ToolAccess({ row }: { row: Row<"tools"> }) {
  return (
    <div className="flex flex-col gap-4">
      <GrantedAccess to={{ target: row.id }} />
      <WhoSees about={{ kind: "tool", name: row.id }} />
    </div>
  );
}
