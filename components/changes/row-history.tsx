import { ACTION_WORDS, sentencesFor } from "@/components/changes/change-words";
import { changesHref } from "@/components/changes/changes-href";
import { useRowChanges } from "@/components/changes/use-row-changes";
import { ProblemNote } from "@/components/resource/problem-note";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";
import type { ResourceName } from "@/lib/resources";

const SHOWN = 20;

/** The latest changes of one row: when, what, by whom, and the values in sentences. */
export function RowHistory({ resource, id }: { resource: ResourceName; id: string }) {
  const changes = useRowChanges(resource, id, SHOWN);
  if (changes.isLoadingError) return <ProblemNote error={changes.error} onRetry={() => void changes.refetch()} />;
  if (changes.isPending) return <Skeleton className="h-32" />;
  const { items, total } = changes.data;
  if (items.length === 0)
    return <EmptyState title="No changes yet">Each saved change of this row appears here.</EmptyState>;
  return (
    <div className="flex flex-col gap-3">
      <Table label={`Changes of ${id}`}>
        <Headers of={["Revision", "When", "What", "Who", ["Before → after", "w-full"]]} />
        <tbody>
          {items.map((change) => (
            <tr key={change.id}>
              <Td className="tabular-nums">
                <TextLink href={`/admin/changes/${encodeURIComponent(change.id)}`}>{change.revision}</TextLink>
              </Td>
              <Td>
                <Time at={change.at} />
              </Td>
              <Td>
                <Badge tone={ACTION_WORDS[change.action].tone}>{ACTION_WORDS[change.action].text}</Badge>
              </Td>
              <Td className="whitespace-nowrap">{change.actor.name}</Td>
              <Td className="text-muted">
                {sentencesFor(change).map(({ sign, text }) => (
                  <span key={`${sign} ${text}`} className="block break-words">
                    {sign} <VisibleText text={text} />
                  </span>
                ))}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <TextLink href={changesHref(resource, id)} className="text-sm">
        {total > SHOWN ? `All ${total.toLocaleString("en")} changes` : "Open in Changes"}
      </TextLink>
    </div>
  );
}
