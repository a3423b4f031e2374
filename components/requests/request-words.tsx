import { Badge, type Tone } from "@/components/ui/badge";
import type { RequestRow } from "@/lib/contracts/changes/request";
import { rowInWords } from "@/lib/contracts/changes/row-words";

const TONES: Readonly<Record<RequestRow["status"], Tone>> = {
  open: "accent",
  applied: "allow",
  refused: "deny",
  withdrawn: "neutral",
  expired: "warn",
  outdated: "warn",
  bypassed: "warn",
  reverted: "neutral",
};

/** The status of a request. */
export function RequestBadge({ status }: { status: RequestRow["status"] }) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

/** What a request is about, in one line. */
export function subjectOf({ facts, target }: Pick<RequestRow, "facts" | "target">): string {
  if (facts.kind === "access") return `${facts.tool} for ${facts.hours} h`;
  const [first] = facts.rows;
  const row = first === undefined ? target : rowInWords(first.resource, first.id);
  const named = row.slice(0, 1).toUpperCase() + row.slice(1);
  return facts.count > 1 ? `${named} and ${facts.count - 1} more` : named;
}
