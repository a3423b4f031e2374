import type { Route } from "next";
import { Card } from "@/components/charts/chart-card";
import { logHref } from "@/components/overview/use-overview";
import { reasonInWords } from "@/components/executions/reason-words";
import type { RangeName } from "@/components/resource/filters/ranges";
import { Link } from "@/components/ui/link";
import { TextLink } from "@/components/ui/text-link";
import type { OverviewOutput } from "@/lib/contracts/changes/overview";

interface TopRefusalsProps {
  refusals: OverviewOutput["refusals"];
  range: RangeName;
  stale: boolean;
}

/** The reasons of most refused calls, each with a link to those calls. */
export function TopRefusals({ refusals, range, stale }: TopRefusalsProps) {
  const most = Math.max(1, ...refusals.map(({ calls }) => calls));
  return (
    <Card
      title="Top reasons of refusals"
      stale={stale}
      aside={
        <TextLink href="/admin/denials" className="text-xs">
          Refusals
        </TextLink>
      }
    >
      {refusals.length === 0 ? (
        <p className="py-6 text-center text-sm text-muted">No refusals in this time range</p>
      ) : (
        <ol className="-mx-2 flex flex-col">
          {refusals.map(({ reason, policy, calls }) => (
            <li key={`${reason} ${policy}`}>
              <Link
                href={logHref({ status: "denied", reason, policy, range }) as Route}
                className="relative flex h-8 items-center gap-2 rounded-md px-2 text-sm hover:bg-hover"
              >
                <span className="min-w-0 flex-1 truncate">
                  {reasonInWords(reason)}
                  {policy !== null && <span className="text-muted"> · {policy}</span>}
                </span>
                <span className="h-1.5 w-1/3 shrink-0 overflow-hidden rounded-full bg-sunken" aria-hidden>
                  <span
                    className="block h-full bg-deny forced-color-adjust-none"
                    style={{ width: `${(calls / most) * 100}%` }}
                  />
                </span>
                <span className="w-14 shrink-0 text-right tabular-nums">{calls.toLocaleString("en")}</span>
              </Link>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
