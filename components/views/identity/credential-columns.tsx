import { timeColumn } from "@/components/resource/columns";
import type { Column } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";

interface Credential {
  readonly lastUsedAt: string | null;
  readonly expiresAt: string;
  readonly enabled: boolean;
}

/** The columns of any credential: last use, expiry, and whether it is still valid. */
export const credentialColumns: readonly Column<Credential>[] = [
  timeColumn("lastUsedAt", "Last used"),
  timeColumn("expiresAt", "Expires", { sorts: true }),
  {
    id: "enabled",
    header: "Status",
    cell: (row) => <Badge tone={row.enabled ? "allow" : "warn"}>{row.enabled ? "enabled" : "disabled"}</Badge>,
  },
];
