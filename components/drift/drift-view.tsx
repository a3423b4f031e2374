import { useState } from "react";
import { ApproveDialog } from "@/components/drift/approve-dialog";
import { DefinitionDiff } from "@/components/drift/definition-diff";
import { DriftNote } from "@/components/drift/drift-note";
import { DECISIONS, KIND_WORDS, seriousNotes } from "@/components/drift/drift-words";
import { useDecide, useDriftDetail } from "@/components/drift/use-drift-review";
import { useKey } from "@/components/keyboard/use-key";
import { useGo } from "@/components/resource/go";
import { ObjectHeading } from "@/components/resource/object-heading";
import { Peek } from "@/components/resource/peek";
import { ProblemNote } from "@/components/resource/problem-note";
import { Problem } from "@/components/resource/request";
import { useIsShown } from "@/components/resource/use-is-shown";
import { useCan } from "@/components/resource/who";
import { WayBack } from "@/components/shell/way-back";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import { Kbd } from "@/components/ui/kbd";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { DriftDetail } from "@/lib/contracts/sources/drift";

/** The page of one tool under review. */
export function DriftPage({ id }: { id: string }) {
  const drift = useDriftDetail(id);
  const go = useGo();
  const isShown = useIsShown();
  if (drift.isLoadingError) return <NotShown error={drift.error} onRetry={() => void drift.refetch()} page />;
  if (drift.isPending) return <Skeleton className="m-5 h-96" />;
  return (
    <article aria-label={id} className="flex flex-col gap-4 p-5">
      <ObjectHeading mono title={id} copy={{ text: id, what: "tool id" }} path={pathOf(id)} value={drift.data} />
      <Review drift={drift.data} onDecided={() => isShown.current && go("/admin/drift")} />
    </article>
  );
}

/** The same tool in a peek panel over the list. */
export function DriftPeek({ id, onClose, onDecided }: { id: string; onClose: () => void; onDecided: () => void }) {
  const drift = useDriftDetail(id);
  return (
    <Peek id={id} title={id} description="tool to review" href={`/admin/${pathOf(id)}`} onClose={onClose}>
      {drift.isLoadingError ? (
        <NotShown error={drift.error} onRetry={() => void drift.refetch()} />
      ) : drift.isPending ? (
        <Skeleton className="h-96" />
      ) : (
        <div className="flex flex-col gap-4">
          <Review key={`${id} ${drift.data.hash}`} drift={drift.data} onDecided={onDecided} />
        </div>
      )}
    </Peek>
  );
}

function NotShown({ error, onRetry, page = false }: { error: Error; onRetry: () => void; page?: boolean }) {
  if (error instanceof Problem && error.code === "not_found")
    return (
      <EmptyState page={page} title="Nothing left to review" action={page && <WayBack />}>
        Somebody has already decided, or the source reverted its change.
      </EmptyState>
    );
  return <ProblemNote error={error} onRetry={onRetry} page={page} />;
}

interface ReviewProps {
  drift: DriftDetail;
  onDecided: () => void;
}

/** The differences with their severity, the decision, and both definitions. */
function Review({ drift, onDecided }: ReviewProps) {
  const { id, source, kind, since, notes, rejectedBy, request, pinned } = drift;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        <Badge tone="outline">{KIND_WORDS[kind]}</Badge>
        {rejectedBy !== null && <Badge tone="deny">{`rejected by ${rejectedBy}`}</Badge>}
        {request !== null && (
          <TextLink href={`/admin/requests/${request.id}`}>Decision requested by {request.asker}</TextLink>
        )}
        <span>
          Found <Time at={since} />
        </span>
        <TextLink href={`/admin/sources/${encodeURIComponent(source)}`}>Source {source}</TextLink>
        {pinned !== null && <TextLink href={`/admin/tools/${encodeURIComponent(id)}`}>Open tool</TextLink>}
      </p>
      <ul aria-label="Differences" className="flex flex-col gap-1.5">
        {notes.map((note) => (
          <li key={note.text}>
            <DriftNote {...note} />
          </li>
        ))}
      </ul>
      <Decide drift={drift} onDecided={onDecided} />
      <DefinitionDiff drift={drift} />
    </>
  );
}

function Decide({ drift, onDecided }: ReviewProps) {
  const decide = useDecide(onDecided);
  const [asking, setAsking] = useState(false);
  const words = DECISIONS[drift.kind];
  const about = [{ id: drift.id, hash: drift.hash }];
  const reject = words.reject !== null && drift.rejectedBy === null ? words.reject : null;
  const mayDecide = useCan("configuration:write");
  // A key press alone approves nothing: it opens the dialog that shows the effect.
  useKey("approve", () => mayDecide && !decide.isPending && setAsking(true));
  useKey(
    "refuse",
    () => mayDecide && !decide.isPending && reject !== null && decide.mutate({ what: "reject", items: about }),
  );
  if (!mayDecide) return <p className="text-sm text-muted">Only an administrator or an editor can decide.</p>;
  const pending = (what: "approve" | "reject") => decide.isPending && decide.variables.what === what;
  const isSerious = seriousNotes(drift).length > 0;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          aria-keyshortcuts="a"
          pending={pending("approve")}
          onClick={() => (isSerious ? setAsking(true) : decide.mutate({ what: "approve", items: about }))}
        >
          {words.approve}
          {isSerious && "…"}
          <KeyHint>a</KeyHint>
        </Button>
        {reject !== null && (
          <Button
            aria-keyshortcuts="x"
            pending={pending("reject")}
            onClick={() => decide.mutate({ what: "reject", items: about })}
          >
            {reject}
            <KeyHint>x</KeyHint>
          </Button>
        )}
      </div>
      {decide.error !== null && <ErrorNote text={decide.error.message} />}
      <p className="text-xs text-pretty text-muted">{words.follows}</p>
      {asking && <ApproveDialog rows={[drift]} onClose={() => setAsking(false)} onDecided={onDecided} />}
    </div>
  );
}

/** Next to the button's label, not part of it. */
function KeyHint({ children }: { children: string }) {
  return (
    <span aria-hidden>
      <Kbd>{children}</Kbd>
    </span>
  );
}

function pathOf(id: string): string {
  return `drift/${encodeURIComponent(id)}`;
}
