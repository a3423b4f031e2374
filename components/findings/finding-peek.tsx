import { FindingItem } from "@/components/findings/finding-item";
import { subjectHref } from "@/components/findings/finding-places";
import { KIND_WORDS } from "@/components/findings/finding-words";
import { useFindings } from "@/components/findings/use-findings";
import { Peek } from "@/components/resource/peek";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { EmptyState } from "@/components/ui/empty-state";

/**
 * One finding with the claims that show it. A finding has no page, so the panel links to the page of its subject.
 */
export function FindingPeek({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useFindings({ id });
  const finding = found.data?.items[0];
  return (
    <Peek
      id={id}
      title={finding === undefined ? id : KIND_WORDS[finding.kind]}
      description="finding"
      href={finding === undefined ? "/admin/findings" : subjectHref(finding)}
      onClose={onClose}
    >
      <WhenLoaded of={found} skeleton="h-32">
        {() =>
          finding === undefined ? (
            <EmptyState title="Finding not found">The rules changed, and the finding no longer applies.</EmptyState>
          ) : (
            <FindingItem finding={finding} />
          )
        }
      </WhenLoaded>
    </Peek>
  );
}
