import { keepPreviousData } from "@tanstack/react-query";
import { subjectOf } from "@/components/requests/request-words";
import { useAttention } from "@/components/resource/attention";
import { NOTICE_QUERY } from "@/components/resource/detail/notices";
import { useGet } from "@/components/resource/use-get";
import { cn } from "@/components/ui/cn";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Page } from "@/lib/contracts/changes/list";
import type { RequestRow } from "@/lib/contracts/changes/request";

interface OpenChangeProps {
  resource: string;
  /** Another row needs another `key`, because the requests of the last one stay until its own are read. */
  id: string;
  className?: string;
}

/** The open change requests that begin with this row. Does not ask the server when no request is open. */
export function OpenChange({ resource, id, className }: OpenChangeProps) {
  const changes = useAttention(false).requests?.changes;
  const search = new URLSearchParams({ kind: "change", status: "open", target: `${resource}/${id}`, limit: "5" });
  const { data } = useGet<Page<RequestRow>>(
    ["requests", "open", search.toString(), changes],
    `/api/admin/requests?${search}`,
    // Other requests change the count. The note stays meanwhile, so that the form below does not move.
    { enabled: changes !== 0, placeholderData: keepPreviousData, ...NOTICE_QUERY },
  );
  if (changes === 0 || data === undefined || data.items.length === 0) return null;
  return (
    <section
      aria-label="Open change requests"
      className={cn("flex flex-col gap-1 rounded-md bg-panel px-3 py-2 text-sm", className)}
    >
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
