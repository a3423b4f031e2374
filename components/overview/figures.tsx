import type { Route } from "next";
import { milliseconds } from "@/components/charts/milliseconds";
import { logHref } from "@/components/overview/use-overview";
import type { RangeName } from "@/components/resource/filters/ranges";
import { counted } from "@/components/ui/counted";
import { cn } from "@/components/ui/cn";
import { Link } from "@/components/ui/link";
import type { OverviewOutput } from "@/lib/contracts/changes/overview";

interface FiguresProps {
  total: OverviewOutput["total"];
  range: RangeName;
  stale: boolean;
}

/** The four main figures, each linked to its calls. */
export function Figures({ total, range, stale }: FiguresProps) {
  const { calls, denied, failed, taken, gateway, upstream } = total;
  return (
    <ul className={cn("grid grid-cols-2 gap-4 transition-opacity lg:grid-cols-4", stale && "opacity-55")}>
      <Figure label="Calls" value={calls.toLocaleString("en")} href={logHref({ range })}>
        {total.open === 0 ? "none running" : `${total.open.toLocaleString("en")} open`}
      </Figure>
      <Figure label="Refused" value={share(denied, calls)} href={logHref({ status: "denied", range })}>
        {counted(denied, "call")}
      </Figure>
      <Figure label="Failed" value={share(failed, calls)} href={logHref({ status: "failed", range })}>
        {counted(failed, "call")}
      </Figure>
      <Figure label="Duration, p95" value={taken === null ? "—" : milliseconds(taken.p95)} href={logHref({ range })}>
        {gateway === null
          ? "no data"
          : `gateway ${milliseconds(gateway.p95)}${upstream === null ? "" : `, upstream ${milliseconds(upstream.p95)}`}`}
      </Figure>
    </ul>
  );
}

interface FigureProps {
  label: string;
  value: string;
  href: string;
  children: string;
}

function Figure({ label, value, href, children }: FigureProps) {
  return (
    <li>
      <Link
        href={href as Route}
        className="flex flex-col rounded-lg border border-line px-4 py-3 transition-colors hover:bg-hover"
      >
        <span className="text-xs text-muted">{label}</span>
        <span className="text-xl font-semibold tabular-nums">{value}</span>
        <span className="text-xs text-pretty text-faint tabular-nums">{children}</span>
      </Link>
    </li>
  );
}

/** A share of a whole in per cent, never rounded to none or all of it. */
function share(part: number, whole: number): string {
  if (part === 0 || whole === 0) return "0 %";
  const percent = (part / whole) * 100;
  if (percent < 0.1) return "< 0.1 %";
  if (percent >= 99.95 && part < whole) return "> 99.9 %";
  const digits = percent < 10 || (percent > 99 && part < whole) ? 1 : 0;
  return `${percent.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })} %`;
}
