import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ProblemNote } from "@/components/resource/problem-note";
import { useCan } from "@/components/resource/who";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { LogMonth, LogMonths } from "@/lib/contracts/log/retention";
import { useGet } from "@/components/resource/use-get";
import { request } from "@/components/resource/request";
import { toastFailure } from "@/components/resource/review/toast-failure";

/** The months of the log: what they hold, where they are archived, and when they are dropped. */
export function LogMonths() {
  const months = useMonths();
  const mayChange = useCan("settings:write");
  if (months.isError) return <ProblemNote error={months.error} onRetry={() => void months.refetch()} />;
  if (months.isPending) return <Skeleton className="h-32 shrink-0" />;
  const { months: rows, place } = months.data;
  return (
    <section aria-labelledby="months" className="flex flex-col gap-2">
      <h2 id="months" className="text-sm font-semibold">
        Months
      </h2>
      <p className="max-w-prose text-sm text-pretty text-muted">
        {place === null ? (
          <>Months cannot be archived or dropped. Set ARCHIVE_DIR or ARCHIVE_URL.</>
        ) : (
          <>
            Archives go to <span className="font-mono text-xs break-all text-ink">{place}</span>. Quartermaster drops a
            month only after it has archived the month and verified the archive. The seals stay.
          </>
        )}
        {mayChange && (
          <>
            {" "}
            To change how many months are kept, open the <TextLink href="/admin/settings">settings</TextLink>.
          </>
        )}
      </p>
      {rows.length === 0 ? (
        <p className="text-sm text-muted">Nothing is logged yet.</p>
      ) : (
        <Table label="Months of the log" stacks>
          <Headers
            of={["Month", ["Rows", "text-right"], "Sealed", ["Archive", "w-full"], "Dropped", { hidden: "Action" }]}
          />
          <tbody>
            {rows.map((month) => (
              <MonthRow key={month.month} month={month} hasPlace={place !== null} />
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}

function MonthRow({ month, hasPlace }: { month: LogMonth; hasPlace: boolean }) {
  const archive = useArchive();
  const may = useCan("retention:write") && hasPlace && month.over && month.dropped === null;
  const isRunning = month.archiving?.status === "asked" || month.archiving?.status === "running";
  return (
    <tr>
      <Td className="whitespace-nowrap tabular-nums">{month.month}</Td>
      <Td data-label="Rows" data-short className="text-right tabular-nums">
        {month.rows.toLocaleString("en")}
      </Td>
      <Td data-label="Sealed" data-short className="whitespace-nowrap">
        {month.unsealed === 0 ? "all" : <Badge>{month.unsealed.toLocaleString("en")} wait</Badge>}
      </Td>
      <Td data-label="Archive">
        <ArchiveState month={month} />
      </Td>
      <Td data-label="Dropped" className="whitespace-nowrap text-muted">
        <DropState month={month} />
      </Td>
      <Td className="text-right">
        {may && (
          <Button
            size="sm"
            pending={archive.isPending || isRunning}
            aria-label={`Archive ${month.month}`}
            onClick={() => archive.mutate(month.month)}
          >
            {month.archive === null ? "Archive" : "Archive again"}
          </Button>
        )}
      </Td>
    </tr>
  );
}

function ArchiveState({ month: { archive, archiving, over } }: { month: LogMonth }) {
  if (archiving?.status === "asked") return <span className="text-muted">queued</span>;
  if (archiving?.status === "running")
    return (
      <span className="flex items-center gap-3">
        <progress
          aria-label="Archived"
          className="h-1.5 w-32"
          value={archiving.done}
          max={Math.max(1, archiving.total)}
        />
        <span className="text-muted tabular-nums">
          {archiving.done.toLocaleString("en")} of {archiving.total.toLocaleString("en")} rows
        </span>
      </span>
    );
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {archive === null ? (
        <span className="text-faint">{over ? "none" : "current month"}</span>
      ) : (
        <>
          <span className="font-mono text-xs break-all">{archive.id}</span>
          <span className="text-muted">
            <Time at={archive.at} /> by {archive.by}
          </span>
        </>
      )}
      {archiving?.status === "failed" && <span className="text-deny">{archiving.error}</span>}
    </span>
  );
}

function DropState({ month: { dropped, dropsFrom, archive } }: { month: LogMonth }) {
  if (dropped !== null)
    return (
      <>
        <Time at={dropped.at} /> by {dropped.by}
      </>
    );
  if (dropsFrom === null) return "never";
  return archive === null ? `from ${dropsFrom}, once archived` : `from ${dropsFrom}`;
}

const ADDRESS = "/api/admin/executions/archives";
const MONTHS = ["executions", "archives"] as const;
/** Milliseconds between two polls of an archive's progress. */
const POLL_MS = 2_000;

/** The months of the log. Polls while a month is being archived. */
function useMonths() {
  return useGet<LogMonths>(MONTHS, ADDRESS, {
    refetchInterval: ({ state }) =>
      state.data?.months.some(({ archiving }) => archiving?.status === "asked" || archiving?.status === "running")
        ? POLL_MS
        : false,
  });
}

/** Requests an archive of a month. */
function useArchive() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (month: string) => request(ADDRESS, { method: "POST", body: { month } }),
    onError: (error, month) => toastFailure(`${month} is not archived`, error),
    onSettled: () => client.invalidateQueries({ queryKey: MONTHS }),
  });
}
