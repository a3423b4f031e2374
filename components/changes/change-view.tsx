import { upperFirst } from "@/components/ui/text/letter-case";
import { ACTION_WORDS, allSentencesFor, objectHref } from "@/components/changes/change-words";
import { adminPath } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import { changesHref } from "@/components/changes/changes-href";
import { UndoButton } from "@/components/changes/undo-button";
import { RestoreButton } from "@/components/configuration/restore-button";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { Peek } from "@/components/resource/peek";
import { ObjectHeading } from "@/components/resource/object-heading";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { Sentences } from "@/components/resource/editor/review-dialog";
import { Badge } from "@/components/ui/badge";
import { Json } from "@/components/ui/json/json";
import { JsonDiff } from "@/components/ui/json/json-diff";
import { LinkButton } from "@/components/ui/link-button";
import { Fact, Facts, TimeFact } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import type { ChangeRow } from "@/lib/contracts/changes/change";
import { changedName, rowInWords } from "@/lib/contracts/changes/row-words";

function useChange(id: string) {
  return useGet<ChangeRow>(["changes", "row", id], adminPath("changes", id), {
    // A stored change never changes.
    staleTime: Infinity,
  });
}

export function ChangePage({ id }: { id: string }) {
  return (
    <WhenLoaded page of={useChange(id)} skeleton="m-5 h-64">
      {(change) => (
        <DetailLayout label="Change" asideLabel="Who and when" aside={<WhoAndWhen change={change} />}>
          <ObjectHeading
            title={titleOf(change)}
            copy={{ text: id, what: "change id" }}
            path={`changes/${encodeURIComponent(id)}`}
            value={change}
          />
          <BeforeAndAfter change={change} />
        </DetailLayout>
      )}
    </WhenLoaded>
  );
}

/** One change in a peek panel over the list. */
export function ChangePeek({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useChange(id);
  const title = found.data === undefined ? `Change ${id}` : titleOf(found.data);
  return (
    <Peek id={id} title={title} description="change" href={`/admin/changes/${id}`} onClose={onClose}>
      <WhenLoaded of={found} skeleton="h-64">
        {(change) => (
          <div className="flex flex-col gap-4">
            <WhoAndWhen change={change} />
            <BeforeAndAfter change={change} />
          </div>
        )}
      </WhenLoaded>
    </Peek>
  );
}

function WhoAndWhen({ change }: { change: ChangeRow }) {
  const { action, actor, revision, at } = change;
  return (
    <Facts>
      <Fact label="Object">
        <ChangedObject change={change} />
      </Fact>
      <Fact label="What">
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone={ACTION_WORDS[action].tone}>{ACTION_WORDS[action].text}</Badge>
          <UndoButton change={change} />
        </span>
      </Fact>
      <Fact label="Who">
        <TextLink href={`/admin/changes?${new URLSearchParams({ actor: actor.name })}`}>{actor.name}</TextLink>
        <span className="text-faint">
          {" "}
          · {actor.kind}, as {actor.role}
        </span>
      </Fact>
      <TimeFact label="When" at={at} />
      <Fact label="Revision">
        <RevisionFact number={revision} />
      </Fact>
    </Facts>
  );
}

/** The object of a change by its name, with links to it and to its other changes. */
export function ChangedObject({ change }: { change: ChangeRow }) {
  const href = objectHref(change);
  const name = changedName(change);
  return (
    <>
      {href === null ? name : <TextLink href={href}>{name}</TextLink>}
      <TextLink href={changesHref(change.resource, change.rowId)} className="mt-1 block w-fit text-xs">
        Other changes of this object
      </TextLink>
    </>
  );
}

function BeforeAndAfter({ change }: { change: ChangeRow }) {
  const { before, after } = change;
  const sentences = allSentencesFor(change);
  return (
    <div className="flex flex-col gap-4">
      {sentences.length > 0 && <Sentences sentences={sentences} />}
      <details className="text-sm">
        <summary className="w-fit rounded text-muted hover:text-ink">Raw values</summary>
        <div className="mt-2">
          {before !== null && after !== null ? (
            <JsonDiff
              label="Before and after"
              before={{ title: "Before", value: before }}
              after={{ title: "After", value: after }}
            />
          ) : (
            <Json value={before ?? after} label={before === null ? "after" : "before"} />
          )}
        </div>
      </details>
    </div>
  );
}

/** The revision of the change: the other changes in it, and a button that restores the revision before it. */
function RevisionFact({ number }: { number: number }) {
  const before = number - 1;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="tabular-nums">{number}</span>
      <LinkButton size="sm" href={`/admin/configuration?from=${before}&to=${number}`}>
        All changes of this revision
      </LinkButton>
      <RestoreButton number={before} />
    </span>
  );
}

function titleOf({ resource, rowId, action }: ChangeRow): string {
  const row = rowInWords(resource, rowId);
  return `${upperFirst(row)} ${ACTION_WORDS[action].text}`;
}
