"use client";

import { useState } from "react";
import { ApproveDialog } from "@/components/drift/approve-dialog";
import { DefinitionDiff } from "@/components/drift/definition-diff";
import { DECISIONS, graveNotes, KIND_WORDS, SEVERITY_TONES } from "@/components/drift/drift-words";
import { useDecide, useDriftDetail } from "@/components/drift/use-drift-review";
import { ProblemNote } from "@/components/resource/problem-note";
import { Problem } from "@/components/resource/request";
import { useWho } from "@/components/resource/who";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { WithCode } from "@/components/ui/with-code";
import type { DriftDetail as Detail } from "@/lib/resources/drift";
import { can } from "@/lib/resources/permissions";

/** One tool of the review: what differs, how bad that is, both definitions, and the decision. */
export function DriftDetail({ id, onDecided }: { id: string; onDecided: () => void }) {
  const drift = useDriftDetail(id);
  if (drift.isPending) return <Skeleton className="m-5 h-48" />;
  if (drift.isError)
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
        {notes.map(({ severity, text }) => (
          <li key={text} className="flex items-baseline gap-2 text-sm">
            <Badge tone={SEVERITY_TONES[severity]} className="shrink-0">
              {severity}
            </Badge>
            <span className="min-w-0 break-words">
              <WithCode text={text} />
            </span>
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
  if (!can(role, "configuration:write"))
    return <p className="text-sm text-muted">An administrator or an editor decides about this.</p>;
  const about = [{ id: drift.id, hash: drift.hash }];
  const pending = (what: "approve" | "reject") => decide.isPending && decide.variables.what === what;
  const grave = graveNotes(drift).length > 0;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          pending={pending("approve")}
          onClick={() => (grave ? setAsking(true) : decide.mutate({ what: "approve", items: about }))}
        >
          {words.approve}
          {grave && "…"}
        </Button>
        {words.reject !== null && drift.rejectedBy === null && (
          <Button pending={pending("reject")} onClick={() => decide.mutate({ what: "reject", items: about })}>
            {words.reject}
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
