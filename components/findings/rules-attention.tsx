import { CircleX, TriangleAlert, type LucideIcon } from "lucide-react";
import { useFindings } from "@/components/findings/use-findings";
import { counted } from "@/components/ui/counted";
import { cn } from "@/components/ui/cn";
import { TextLink } from "@/components/ui/text-link";
import { useAssertionRun } from "@/components/views/rules/use-assertion-run";

/** The numbers of failing assertions and of findings, each linked to its list. Hidden when both are zero. */
export function RulesAttention({ className }: { className?: string }) {
  // Counts notes too, as the Findings page does. Notes come last, so a first one means that there are only notes.
  const { data: findings } = useFindings({ limit: "1" });
  const errors = useFindings({ severity: "error", limit: "1" }).data?.total ?? 0;
  const onlyNotes = findings?.items[0]?.severity === "info";
  const failed = useAssertionRun().data?.failed ?? 0;
  const marks: readonly Mark[] = [
    {
      count: failed,
      words: ["failing assertion", "failing assertions"],
      href: "/admin/assertions",
      Icon: CircleX,
      tone: "text-deny",
    },
    {
      count: findings?.total ?? 0,
      words: ["finding", "findings"],
      href: "/admin/findings",
      Icon: TriangleAlert,
      tone: errors > 0 ? "text-deny" : onlyNotes ? "text-muted" : "text-warn",
    },
  ];
  const shown = marks.filter(({ count }) => count > 0);
  if (shown.length === 0) return null;
  return (
    <ul
      aria-label="Problems in the rules"
      className={cn("flex flex-wrap items-center gap-x-4 gap-y-1 text-sm", className)}
    >
      {shown.map(({ count, words: [one, many], href, Icon, tone }) => (
        <li key={one}>
          <TextLink href={href} className="flex items-center gap-1.5 text-ink">
            <Icon aria-hidden className={cn("size-3.5", tone)} />
            {counted(count, one, many)}
          </TextLink>
        </li>
      ))}
    </ul>
  );
}

interface Mark {
  readonly count: number;
  /** Singular and plural. */
  readonly words: readonly [string, string];
  readonly href: string;
  readonly Icon: LucideIcon;
  readonly tone: string;
}
