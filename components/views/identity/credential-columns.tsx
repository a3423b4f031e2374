import type { Column } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { Time } from "@/components/ui/time";

interface Credential {
  readonly lastUsedAt: string | null;
  readonly expiresAt: string;
  readonly enabled: boolean;
}

/** The columns of any credential: last use, expiry, and whether it is still valid. */
export const credentialColumns: readonly Column<Credential>[] = [
  {
    id: "lastUsedAt",
    header: "Last used",
    className: "whitespace-nowrap",
    cell: (row) => (
      <span className="relative z-1 text-muted">
        {row.lastUsedAt === null ? "never" : <Time at={row.lastUsedAt} />}
      </span>
    ),
  },
  {
    id: "expiresAt",
    header: "Expires",
    sorts: true,
    className: "whitespace-nowrap",
    cell: (row) => (
      <span className="relative z-1 text-muted">
        <Time at={row.expiresAt} />
      </span>
    ),
  },
  {
    id: "enabled",
    header: "Status",
    cell: (row) => <Badge tone={row.enabled ? "allow" : "warn"}>{row.enabled ? "enabled" : "disabled"}</Badge>,
  },
];
