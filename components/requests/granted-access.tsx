import { useCan } from "@/components/resource/who";
import { useGet } from "@/components/resource/use-get";
import { ErrorNote } from "@/components/ui/error-note";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Page } from "@/lib/contracts/changes/list";
import type { RequestRow } from "@/lib/contracts/changes/request";

/** The most grants to list. The others are only counted. */
const MAX_SHOWN = 10;

/** The access grants of one tool, or of one agent, that have not ended, with the time at which each ends. */
export function GrantedAccess({ to }: { to: { readonly target: string } | { readonly asker: string } }) {
  const mayRead = useCan("executions:read");
  const filters = { ...to, status: "applied", ended: "false" };
  const search = new URLSearchParams({ ...filters, limit: String(MAX_SHOWN) });
  const { data, error } = useGet<Page<RequestRow>>(
    ["requests", "granted", search.toString()],
    `/api/admin/access-requests?${search}`,
    { enabled: mayRead },
  );
  // Without this note a failed read would look like a tool without grants.
  if (data === undefined && error !== null)
    return <ErrorNote text={`The temporary access grants could not be loaded. ${error.message}`} />;
  if (data === undefined || data.items.length === 0) return null;
  const more = data.total - data.items.length;
  return (
    <section
      aria-label="Temporary access grants"
      className="flex flex-col gap-1.5 rounded-md bg-panel px-3 py-2 text-sm"
    >
      <h3 className="text-xs font-medium text-muted">Temporary access grants</h3>
      <ul className="flex flex-col gap-1">
        {data.items.map(({ id, target, asker, grant }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2">
            <span className={"target" in to ? "" : "font-mono text-xs"}>{"target" in to ? asker.name : target}</span>
            {grant !== null && (
              <span className="text-muted">
                until <Time at={grant.until} exact />
              </span>
            )}
            <TextLink href={`/admin/requests/${encodeURIComponent(id)}`}>View request</TextLink>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-xs text-muted">and {more.toLocaleString("en")} more</p>}
    </section>
  );
}
