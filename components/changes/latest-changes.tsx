import { ACTION_WORDS, sentencesFor } from "@/components/changes/change-words";
import { changesHref } from "@/components/changes/changes-href";
import { useRowChanges } from "@/components/changes/use-row-changes";
import { Badge } from "@/components/ui/badge";
import { ErrorNote } from "@/components/ui/error-note";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";
import type { ChangeRow } from "@/lib/contracts/changes/change";

const SHOWN = 6;
/** Sentences of one change; the rest is on its page. */
const MAX_SHOWN = 3;

/** The last changes of a row, next to its form. */
export function LatestChanges({ resource, id }: { resource: string; id: string }) {
  const changes = useRowChanges(resource, id, SHOWN);
  return (
    <section aria-label="History" className="flex flex-col gap-3">
      <h2 className="text-sm font-semibold">History</h2>
      {changes.isLoadingError ? (
        <ErrorNote text={changes.error.message} />
      ) : changes.data === undefined ? (
        <Skeleton className="h-24" />
      ) : changes.data.items.length === 0 ? (
        <p className="text-sm text-muted">No changes yet</p>
      ) : (
        <>
          <ol className="flex flex-col gap-3">
            {changes.data.items.map((change) => (
              <OneChange key={change.id} change={change} />
            ))}
          </ol>
          {changes.data.total > SHOWN && (
            <TextLink href={changesHref(resource, id)} className="w-fit text-sm">
              All {changes.data.total.toLocaleString("en")} changes
            </TextLink>
          )}
        </>
      )}
    </section>
  );
}

function OneChange({ change }: { change: ChangeRow }) {
  const { id, action, actor, at, revision } = change;
  const sentences = sentencesFor(change);
  return (
    <li className="flex flex-col gap-1 text-xs">
      <span className="flex flex-wrap items-center gap-x-2">
        <Badge tone={ACTION_WORDS[action].tone}>{ACTION_WORDS[action].text}</Badge>
        <span className="min-w-0 truncate">{actor.name}</span>
        <span className="ml-auto text-muted">
          <Time at={at} />
          <span className="text-faint"> · </span>
          <TextLink href={`/admin/changes/${encodeURIComponent(id)}`}>revision {revision}</TextLink>
        </span>
      </span>
      {sentences.slice(0, MAX_SHOWN).map(({ sign, text }) => (
        <span key={`${sign} ${text}`} className="line-clamp-2 break-words text-muted">
          {sign} <VisibleText text={text} />
        </span>
      ))}
      {sentences.length > MAX_SHOWN && <span className="text-faint">and {sentences.length - MAX_SHOWN} more</span>}
    </li>
  );
}
