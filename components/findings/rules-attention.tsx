import { CircleX, Info, TriangleAlert, type LucideIcon } from "lucide-react";
import { bySeverity } from "@/components/findings/finding-words";
import { useFindings } from "@/components/findings/use-findings";
import { counted } from "@/components/ui/counted";
import { cn } from "@/components/ui/cn";
import { TextLink } from "@/components/ui/text-link";
import { useAssertionRun } from "@/components/views/rules/use-assertion-run";
import type { FindingRow } from "@/lib/contracts/decisions/finding";

const ICONS: Readonly<Record<FindingRow["severity"], Pick<Mark, "Icon" | "tone">>> = {
  error: { Icon: TriangleAlert, tone: "text-deny" },
  warning: { Icon: TriangleAlert, tone: "text-warn" },
  info: { Icon: Info, tone: "text-muted" },
  unknown: { Icon: TriangleAlert, tone: "text-muted" },
};

/** The numbers of failing assertions, and of findings by severity, each linked to its list. Hidden without any. */
export function RulesAttention({ className }: { className?: string }) {
  const findings = useFindings({ limit: "1" }).data?.severities ?? {};
  const failed = useAssertionRun().data?.failed ?? 0;
  const assertions: Mark = {
    words: counted(failed, "failing assertion"),
    href: "/admin/assertions",
    Icon: CircleX,
    tone: "text-deny",
  };
  const shown: readonly Mark[] = [
    ...(failed > 0 ? [assertions] : []),
    ...bySeverity(findings).map(({ severity, words }) => ({
      words,
      href: `/admin/findings?${new URLSearchParams({ severity })}`,
      ...ICONS[severity],
    })),
  ];
  if (shown.length === 0) return null;
  return (
    <ul
      aria-label="Problems in the rules"
      className={cn("flex flex-wrap items-center gap-x-4 gap-y-1 text-sm", className)}
    >
      {shown.map(({ words, href, Icon, tone }) => (
        <li key={href}>
          <TextLink href={href} className="flex items-center gap-1.5 text-ink">
            <Icon aria-hidden className={cn("size-3.5", tone)} />
            {words}
          </TextLink>
        </li>
      ))}
    </ul>
  );
}

interface Mark {
  readonly words: string;
  readonly href: string;
  readonly Icon: LucideIcon;
  readonly tone: string;
}
