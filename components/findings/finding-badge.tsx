import { TriangleAlert } from "lucide-react";
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

/** The number of errors and warnings about a row, linked to its findings. Hidden when there are none. */
export function FindingBadge({ about, name }: FindingBadgeProps) {
  const findings = useFindingsAbout(about).get(name) ?? [];
  if (findings.length === 0) return null;
  const label = counted(findings.length, "finding");
  return (
    <TextLink
      href={`/admin/findings?${new URLSearchParams({ about, name })}`}
      aria-label={`${label} on ${name}`}
      title={findings.map(({ text }) => text.replaceAll("`", "")).join("\n")}
      className="relative z-1"
    >
      <Badge tone={findings.some(({ severity }) => severity === "error") ? "deny" : "warn"}>
        <TriangleAlert aria-hidden />
        <span>{label}</span>
      </Badge>
    </TextLink>
  );
}

/** A list column with the finding badge of each row. */
export function findingsColumn<T extends { readonly name: string }>(about: FindingBadgeProps["about"]): Column<T> {
  return {
    id: "findings",
    header: "Findings",
    cell: (row) => <FindingBadge about={about} name={row.name} />,
    className: "whitespace-nowrap",
  };
}
