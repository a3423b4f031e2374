import { findingsInWords } from "@/components/impact/impact-words";
import { WithCode } from "@/components/ui/json/with-code";
import { TextLink } from "@/components/ui/text-link";
import type { ImpactOutput } from "@/lib/contracts/decisions/impact";

interface ImpactFindingsProps {
  findings: ImpactOutput["findings"];
  /** Whether the change returns to an earlier state. */
  isUndo: boolean;
}

/** The findings that a change adds and removes; hidden without any. Only a finding that exists has a link. */
export function ImpactFindings({ findings: { added, removed }, isUndo }: ImpactFindingsProps) {
  return (
    <>
      {added.count > 0 && <Findings title={findingsInWords("added", added.count, isUndo)} findings={added} />}
      {removed.count > 0 && <Findings title={findingsInWords("removed", removed.count)} findings={removed} exist />}
    </>
  );
}

interface FindingsProps {
  title: string;
  findings: ImpactOutput["findings"]["added"];
  /** Whether the findings exist before the change. */
  exist?: boolean;
}

function Findings({ title, findings: { count, items }, exist = false }: FindingsProps) {
  const more = count - items.length;
  return (
    <section aria-label={title} className="flex flex-col gap-1 border-t border-line px-3 py-2 text-xs">
      <h3 className="font-medium">{title}:</h3>
      <ul className="flex list-disc flex-col gap-1 pl-4 text-pretty">
        {items.map(({ id, text }) => (
          <li key={id}>
            <WithCode text={text} />{" "}
            {exist && <TextLink href={`/admin/findings?peek=${encodeURIComponent(id)}`}>Open finding</TextLink>}
          </li>
        ))}
        {more > 0 && <li className="text-muted">and {more.toLocaleString("en")} more</li>}
      </ul>
    </section>
  );
}
