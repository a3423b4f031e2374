import { TriangleAlert } from "lucide-react";
import { SEVERITY } from "@/components/findings/finding-words";
import { useFindingsAbout } from "@/components/findings/use-findings";
import type { Column } from "@/components/resource/view";
import { counted } from "@/components/ui/counted";
import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/text-link";
import type { FindingRow } from "@/lib/contracts/decisions/finding";

interface FindingBadgeProps {
  about: FindingRow["about"]["kind"];
  name: string;
}

/** The number of errors about a row, or of warnings if there are none, linked to its findings. Hidden without both. */
export function FindingBadge({ about, name }: FindingBadgeProps) {
  const findings = useFindingsAbout(about).get(name) ?? [];
  if (findings.length === 0) return null;
  const severity = findings.some((finding) => finding.severity === "error") ? "error" : "warning";
  const { word, tone } = SEVERITY[severity];
  const label = counted(findings.filter((finding) => finding.severity === severity).length, word);
  return (
    <TextLink
      href={`/admin/findings?${new URLSearchParams({ about, name })}`}
      aria-label={`${label} on ${name}`}
      title={findings.map(({ text }) => text.replaceAll("`", "")).join("\n")}
      className="relative z-1"
    >
      <Badge tone={tone}>
        <TriangleAlert aria-hidden />
        <span>{label}</span>
      </Badge>
    </TextLink>
  );
}

/** What the column Findings counts. */
export const FINDINGS_HINT = "Errors and warnings. The page Findings also has notes";

/** A list column with the finding badge of each row. */
export function findingsColumn<T extends { readonly name: string }>(about: FindingBadgeProps["about"]): Column<T> {
  return {
    id: "findings",
    header: "Findings",
    hint: FINDINGS_HINT,
    cell: (row) => <FindingBadge about={about} name={row.name} />,
    className: "whitespace-nowrap",
  };
}
