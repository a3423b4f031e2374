import { useSearchParams } from "next/navigation";
import { Countdown } from "@/components/approvals/approval-words";
import { InboxTabs } from "@/components/requests/inbox-tabs";
import { RequestBadge, subjectOf } from "@/components/requests/request-words";
import { POLL_MS } from "@/components/requests/use-requests";
import { NOT_ON_PHONE, timeColumn } from "@/components/resource/columns";
import { List } from "@/components/resource/list/list";
import type { Column, Filter } from "@/components/resource/view";
import { WithCode } from "@/components/ui/json/with-code";
import { lazyPart } from "@/components/ui/lazy-part";
import { Time } from "@/components/ui/time";
import type { RequestRow } from "@/lib/contracts/changes/request";
import { verdictInWords } from "@/lib/contracts/changes/verdict-words";
import { REQUEST_KINDS, REQUEST_STATUSES } from "@/lib/resources/parts/words";

const Peek = lazyPart(async () => (await import("@/components/requests/request-view")).RequestPeek);

const COLUMNS: readonly Column<RequestRow>[] = [
  {
    id: "target",
    header: "Request",
    fields: ["target", "facts"],
    cell: (row) => (
      <>
        <span className="block max-w-72 truncate">{subjectOf(row)}</span>
        <span className="hidden text-xs font-normal text-muted max-sm:block">{row.asker.name}</span>
        <span className="hidden max-w-56 text-xs font-normal text-pretty whitespace-normal max-sm:block">
          <EffectOf row={row} />
        </span>
      </>
    ),
  },
  {
    id: "asker",
    header: "Requester",
    className: NOT_ON_PHONE,
    cell: (row) => <span className="block max-w-48 truncate">{row.asker.name}</span>,
  },
  {
    id: "verdict",
    header: "Effect or reason",
    fields: ["facts", "reason"],
    className: `w-full max-w-0 min-w-48 ${NOT_ON_PHONE}`,
    cell: (row) => (
      <span className="block truncate text-muted">
        <EffectOf row={row} />
      </span>
    ),
  },
  {
    id: "status",
    header: "Status",
    fields: ["status", "ended", "grant", "decidedBy", "closesAt"],
    className: "whitespace-nowrap",
    cell: ({ kind, status, ended, grant, closesAt, decidedBy }) => (
      <span className="flex items-center gap-1.5">
        <RequestBadge of={{ kind, status, ended }} />
        <span className="max-w-40 truncate text-xs text-muted">
          {status === "open" || status === "bypassed" ? (
            <Countdown until={closesAt} />
          ) : grant !== null && !ended ? (
            <>
              ends <Time at={grant.until} />
            </>
          ) : (
            decidedBy !== null && `by ${decidedBy}`
          )}
        </span>
      </span>
    ),
  },
  { ...timeColumn("at", "Requested", { sorts: true }), className: NOT_ON_PHONE },
];

function EffectOf({ row: { facts, reason } }: { row: RequestRow }) {
  return facts.kind === "change" ? <WithCode text={verdictInWords(facts.verdict)} /> : reason;
}

const FILTERS: readonly Filter[] = [
  { key: "status", label: "Status", options: REQUEST_STATUSES.map((value) => ({ value, label: value })) },
  { key: "kind", label: "Kind", byTabs: true, options: REQUEST_KINDS.map((value) => ({ value, label: value })) },
];

const CHIPS = [
  { key: "asker", label: "Requester" },
  { key: "target", label: "Row" },
  { key: "decidedBy", label: "By" },
] as const;

/** The tabs of the inbox that show requests: the filters of each, and what its empty list says. */
const TABS = [
  {
    filters: { asker: "me" },
    whenEmpty: "Your changes that need a review appear here, with their answers.",
  },
  {
    filters: { kind: "access" },
    whenEmpty: "Access requests of agents wait here for an answer. To offer access, create a request policy.",
  },
  {
    filters: { kind: "change" },
    whenEmpty: "Changes that need a review wait here for an answer. To require reviews, use General settings.",
  },
] as const;

/** The requests that wait for a person, and those that were answered. */
export function RequestList() {
  const query = useSearchParams();
  const tab = TABS.find(({ filters }) => Object.entries(filters).every(([key, value]) => query.get(key) === value));
  return (
    <>
      <InboxTabs />
      <List<RequestRow>
        list="requests"
        words={["request", "requests"]}
        columns={COLUMNS}
        idOf={(row) => row.id}
        filters={FILTERS}
        chips={CHIPS}
        sort="-closesAt"
        {...(tab !== undefined && { tab: tab.filters })}
        whenEmpty={
          tab?.whenEmpty ??
          "Access requests of agents, and changes that need a review, wait here for an answer. Create a request policy, or turn on reviews in General settings."
        }
        renderPeek={(id, onClose) => <Peek id={id} onClose={onClose} />}
        pollMs={POLL_MS}
      />
    </>
  );
}
