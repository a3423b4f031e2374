import { findingsInWords } from "@/components/impact/impact-words";
import { WithCode } from "@/components/ui/json/with-code";
import { TextLink } from "@/components/ui/text-link";
import type { ImpactOutput } from "@/lib/contracts/decisions/impact";

type Findings = ImpactOutput["findings"]["added"];

interface AddedFindingsProps {
  findings: Findings;
  /** Whether the change returns to an earlier state. */
  isUndo: boolean;
}

/** The findings that a change adds; hidden without any. They do not exist yet, so they have no links. */
export function AddedFindings({ findings, isUndo }: AddedFindingsProps) {
  if (findings.count === 0) return null;
  return <FindingItems title={findingsInWords("added", findings.count, isUndo)} findings={findings} />;
}

/** The findings that a change removes; hidden without any. */
export function RemovedFindings({ findings }: { findings: Findings }) {
  if (findings.count === 0) return null;
  return <FindingItems title={findingsInWords("removed", findings.count)} findings={findings} exist />;
}

interface FindingItemsProps {
  title: string;
  findings: Findings;
  /** Whether the findings exist before the change. */
  exist?: boolean;
}

function FindingItems({ title, findings: { count, items }, exist = false }: FindingItemsProps) {
  const more = count - items.length;
  return (
    <section aria-label={title} className="flex flex-col gap-1 border-t border-line px-3 py-2 text-xs">
      <h3 className="font-medium">{title}:</h3>
      <ul className="flex list-disc flex-col gap-1 pl-4 text-pretty">
        {items.map(({ id, text }) => (
          <li key={id}>
            <WithCode text={text} />{" "}
            {exist && (
              <TextLink href={`/admin/findings?peek=${encodeURIComponent(id)}`} target="_blank">
                Open finding
              </TextLink>
            )}
          </li>
        ))}
        {more > 0 && <li className="text-muted">and {more.toLocaleString("en")} more</li>}
      </ul>
    </section>
  );
}
