import { subjectOf } from "@/components/requests/request-words";
import { useAttention } from "@/components/resource/attention";
import { useGet } from "@/components/resource/use-get";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Page } from "@/lib/contracts/changes/list";
import type { RequestRow } from "@/lib/contracts/changes/request";

/** The open change requests that begin with this row. Asks the server only while some request is open. */
export function OpenChange({ resource, id }: { resource: string; id: string }) {
  const changes = useAttention(false).requests?.changes ?? 0;
  const search = new URLSearchParams({ kind: "change", status: "open", target: `${resource}/${id}`, limit: "5" });
  const { data } = useGet<Page<RequestRow>>(
    ["requests", "open", search.toString(), changes],
    `/api/admin/requests?${search}`,
    {
      enabled: changes > 0,
    },
  );
  if (changes === 0 || data === undefined || data.items.length === 0) return null;
  return (
    <section aria-label="Open change requests" className="flex flex-col gap-1 rounded-md bg-panel px-3 py-2 text-sm">
      <h2 className="text-xs font-medium text-muted">Waits for a second person</h2>
      <ul>
        {data.items.map((request) => (
          <li key={request.id}>
            <TextLink href={`/admin/requests/${encodeURIComponent(request.id)}`}>{subjectOf(request)}</TextLink>
            <span className="text-muted">
              , requested by {request.asker.name} <Time at={request.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
