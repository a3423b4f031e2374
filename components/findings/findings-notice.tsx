import { TriangleAlert } from "lucide-react";
import { bySeverity } from "@/components/findings/finding-words";
import { FindingItem } from "@/components/findings/finding-item";
import { useFindings } from "@/components/findings/use-findings";
import { NOTICE_QUERY } from "@/components/resource/detail/notices";
import { cn } from "@/components/ui/cn";
import { TextLink } from "@/components/ui/text-link";
import type { FindingRow } from "@/lib/contracts/decisions/finding";

/** How many are shown in full; the others are a link away. */
const MAX_SHOWN = 3;

const ICON_TONES: Readonly<Record<FindingRow["severity"], string>> = {
  error: "text-deny",
  warning: "text-warn",
  unknown: "text-muted",
  info: "text-muted",
};

interface FindingsNoticeProps {
  about: FindingRow["about"]["kind"];
  name: string;
}

/** The findings about a row, on its page, with the ways to fix them; hidden without any. */
export function FindingsNotice({ about, name }: FindingsNoticeProps) {
  const { data } = useFindings({ about, name, limit: String(MAX_SHOWN) }, NOTICE_QUERY);
  if (data === undefined || data.total === 0) return null;
  const found = bySeverity(data.severities);
  return (
    <section aria-label={`Findings on ${name}`} className="mx-5 mt-3 max-w-4xl rounded-md border border-line bg-panel">
      <h2 className="flex items-center gap-1.5 border-b border-line px-3 py-1.5 text-xs font-medium text-muted">
        <TriangleAlert aria-hidden className={cn("size-3.5", ICON_TONES[found[0]?.severity ?? "unknown"])} />
        {found.map(({ words }) => words).join(", ")}
        {data.total > MAX_SHOWN && (
          <TextLink href={`/admin/findings?${new URLSearchParams({ about, name })}`} className="ml-auto">
            Show all
          </TextLink>
        )}
      </h2>
      <ul>
        {data.items.map((finding) => (
          <li key={finding.id} className="border-b border-line px-3 py-2 last:border-b-0">
            <FindingItem finding={finding} here />
          </li>
        ))}
      </ul>
    </section>
  );
}
