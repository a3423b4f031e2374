"use client";

import { useState } from "react";
import { ApproveDialog } from "@/components/drift/approve-dialog";
import { DefinitionDiff } from "@/components/drift/definition-diff";
import { DriftNote } from "@/components/drift/drift-note";
import { DECISIONS, graveNotes, KIND_WORDS } from "@/components/drift/drift-words";
import { useDecide, useDriftDetail } from "@/components/drift/use-drift-review";
import { useKey } from "@/components/keyboard/use-key";
import { CopyMenu } from "@/components/resource/copy-menu";
import { ProblemNote } from "@/components/resource/problem-note";
import { Problem } from "@/components/resource/request";
import { useWho } from "@/components/resource/who";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { Kbd } from "@/components/ui/kbd";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { WithCode } from "@/components/ui/json/with-code";
import type { DriftDetail as Detail } from "@/lib/contracts/sources/drift";
import { can } from "@/lib/resources/permissions";

/** One tool of the review: what differs, how bad that is, both definitions, and the decision. */
export function DriftDetail({ id, onDecided }: { id: string; onDecided: () => void }) {
  const drift = useDriftDetail(id);
  if (drift.isPending) return <Skeleton className="m-5 h-48" />;
  if (drift.isLoadingError)
    return drift.error instanceof Problem && drift.error.code === "not_found" ? (
      <EmptyState title="Nothing waits here any more">It was decided, or its source took it back.</EmptyState>
    ) : (
      <ProblemNote error={drift.error} onRetry={() => void drift.refetch()} />
    );
  return <Shown key={drift.data.hash} drift={drift.data} onDecided={onDecided} />;
}

function Shown({ drift, onDecided }: { drift: Detail; onDecided: () => void }) {
  const { id, source, kind, since, notes, rejectedBy, pinned } = drift;
  return (
    <article aria-label={id} className="flex flex-col gap-4 px-5 py-4">
      <header className="flex flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="font-mono text-sm font-semibold break-all">{id}</h2>
          <Badge tone="outline">{KIND_WORDS[kind]}</Badge>
          {rejectedBy !== null && <Badge tone="deny">{`kept quarantined by ${rejectedBy}`}</Badge>}
          <span className="ml-auto flex">
            <CopyButton text={id} label="Copy tool id" />
            <CopyMenu
              path={`/api/admin/drift/${encodeURIComponent(id)}`}
              href={`/admin/drift?open=${encodeURIComponent(id)}`}
              value={drift}
            />
          </span>
        </div>
        <p className="flex flex-wrap gap-x-3 text-xs text-muted">
          <span>
            Found <Time at={since} />
          </span>
          <TextLink href={`/admin/sources/${encodeURIComponent(source)}`}>Source {source}</TextLink>
          {pinned !== null && <TextLink href={`/admin/tools/${encodeURIComponent(id)}`}>The tool</TextLink>}
        </p>
      </header>
      <ul aria-label="What differs" className="flex flex-col gap-1.5">
        {notes.map((note) => (
          <li key={note.text}>
            <DriftNote {...note} />
          </li>
        ))}
      </ul>
      <Decide drift={drift} onDecided={onDecided} />
      <DefinitionDiff drift={drift} />
    </article>
  );
}

function Decide({ drift, onDecided }: { drift: Detail; onDecided: () => void }) {
  const { role } = useWho();
  const decide = useDecide(onDecided);
  const [asking, setAsking] = useState(false);
  const words = DECISIONS[drift.kind];
  const about = [{ id: drift.id, hash: drift.hash }];
  const reject = words.reject !== null && drift.rejectedBy === null ? words.reject : null;
  const mayDecide = can(role, "configuration:write");
  // A key press alone approves nothing: it opens the dialog that shows the effect.
  useKey("approve", () => mayDecide && !decide.isPending && setAsking(true));
  useKey(
    "refuse",
    () => mayDecide && !decide.isPending && reject !== null && decide.mutate({ what: "reject", items: about }),
  );
  if (!mayDecide) return <p className="text-sm text-muted">An administrator or an editor decides about this.</p>;
  const pending = (what: "approve" | "reject") => decide.isPending && decide.variables.what === what;
  const grave = graveNotes(drift).length > 0;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          aria-keyshortcuts="a"
          pending={pending("approve")}
          onClick={() => (grave ? setAsking(true) : decide.mutate({ what: "approve", items: about }))}
        >
          {words.approve}
          {grave && "…"}
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
      {decide.error !== null && (
        <p role="alert" className="text-sm text-deny">
          <WithCode text={decide.error.message} />
        </p>
      )}
      <p className="text-xs text-pretty text-muted">{words.follows}</p>
      {asking && <ApproveDialog rows={[drift]} onClose={() => setAsking(false)} onApproved={onDecided} />}
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
