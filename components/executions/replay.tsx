import { useQuery } from "@tanstack/react-query";
import { Check, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { lowerFirst } from "@/components/ui/text/letter-case";
import { REASON_WORDS } from "@/lib/contracts/decisions/reason-words";
import { RevisionInput } from "@/components/preview/inputs/revision-input";
import { adminPath, request } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { TextLink } from "@/components/ui/text-link";
import { WithCode } from "@/components/ui/json/with-code";
import type { ReplayOutput } from "@/lib/contracts/decisions/replay";

/** Decides a call again, only on demand: the audit trail records every read of a caller's claims. */
export function Replay({ callId }: { callId: string }) {
  const [requested, setRequested] = useState<{ revision: number | null } | null>(null);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["executions", callId, "replay", requested],
    queryFn: ({ signal }) => replay(callId, requested?.revision ?? null, signal),
    enabled: requested !== null,
    refetchOnWindowFocus: false,
  });
  return (
    <div className="flex w-full flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <Button
          size="sm"
          pending={isFetching}
          onClick={() => (requested?.revision === null ? void refetch() : setRequested({ revision: null }))}
        >
          Check with current rules
        </Button>
        <div className="w-40">
          <RevisionInput
            label="Or with the rules of"
            value={requested?.revision ?? null}
            onChange={(revision) => setRequested(revision === null ? null : { revision })}
            placeholder="A revision…"
          />
        </div>
      </div>
      <div role="status" className="flex flex-col gap-1 text-sm empty:hidden">
        {error !== null ? (
          <ErrorNote text={error.message} />
        ) : (
          data !== undefined && <Outcome replayed={data} requested={requested} />
        )}
      </div>
    </div>
  );
}

function replay(callId: string, revision: number | null, signal: AbortSignal): Promise<ReplayOutput> {
  return request<ReplayOutput>(adminPath("executions", callId, "replay"), {
    method: "POST",
    body: revision === null ? {} : { revision },
    signal,
  });
}

function Outcome({ replayed, requested }: { replayed: ReplayOutput; requested: { revision: number | null } | null }) {
  const { callId, toolId, logged, original, differs, argumentsKnown } = replayed;
  const other = replayed.replayed;
  const stated = requested?.revision ?? null;
  const search = new URLSearchParams({ execution: callId, tool: toolId });
  if (stated !== null) search.set("revision", String(stated));
  return (
    <>
      <p>
        {stated === null ? "Now, under" : "Under"} revision {other.revision}: <WithCode text={inWords(other)} />
        {!differs && ", same result"}. <TextLink href={`/admin/preview?${search}`}>Why</TextLink>
      </p>
      {replayed.reproduced === true && (
        <p className="flex items-start gap-1.5 text-xs text-muted">
          <Check aria-hidden className="mt-0.5 size-3.5 shrink-0 text-allow" />
          The rules of revision {logged.revision} give the logged result.
        </p>
      )}
      {replayed.reproduced === false && (
        <p className="flex items-start gap-1.5 text-xs text-deny">
          <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span>
            The rules of revision {logged.revision} give a different result than the log:{" "}
            <WithCode text={inWords(original)} />.
          </span>
        </p>
      )}
      {!argumentsKnown && (
        <p className="text-xs text-faint">
          Argument conditions were not checked, because the log does not have the complete arguments.
        </p>
      )}
    </>
  );
}

function inWords({ verdict, reason, detail }: ReplayOutput["original"]): string {
  if (verdict === "allowed") return "allowed";
  if (verdict === "unknown_tool") return "there is no such tool";
  if (verdict === "arguments_refused") return `arguments refused: “${detail.replace(/\.$/, "")}”`;
  return reason === null ? "hidden" : `hidden, ${lowerFirst(REASON_WORDS[reason])}`;
}
