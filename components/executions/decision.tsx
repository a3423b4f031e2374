"use client";

import { useState } from "react";
import { ExplanationView } from "@/components/preview/explanation";
import { REASON_WORDS } from "@/components/preview/reason-words";
import { useExplanation } from "@/components/preview/use-preview";
import { ProblemNote } from "@/components/resource/problem-note";
import { Problem } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { ExecutionDetail } from "@/lib/resources/execution";
import type { ExplanationOutput } from "@/lib/resources/preview";

/** The decision as it was made: the call's own inputs through the resolver, at its revision. */
export function Decision({ execution }: { execution: ExecutionDetail }) {
  const { callId, toolId, bodiesHidden, revision, at } = execution;
  // Without its revision and its time, the rules of today would be shown as those of the call.
  const made = { executionId: callId, revision, now: at };
  const explained = useExplanation(toolId === null || bodiesHidden ? null : made, toolId);
  const explanation = toolId === null ? undefined : explained.data?.explanations?.[toolId];
  if (toolId === null)
    return (
      <p className="text-sm text-muted">
        No tool of this name existed: the caller was told the same as for a hidden one.
      </p>
    );
  if (bodiesHidden)
    return (
      <p className="text-sm text-muted">
        The decision step by step shows the caller’s claims: administrators and auditors may see it.
      </p>
    );
  if (explained.isError)
    return (
      <p className="text-sm text-muted">
        The decision cannot be shown:{" "}
        {explained.error instanceof Problem ? explained.error.message : "it could not be computed."}
      </p>
    );
  if (explained.data === undefined) return <Skeleton className="h-80" />;
  if (explanation === undefined)
    return (
      <p className="text-sm text-muted">This tool is not in the configuration of revision {explained.data.revision}.</p>
    );
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col items-start gap-2">
        <p className="text-xs text-faint">As decided under revision {explained.data.revision}</p>
        <Today callId={callId} toolId={toolId} then={explanation} />
      </div>
      <ExplanationView explanation={explanation} trace={explained.data.trace} />
    </div>
  );
}

interface TodayProps {
  callId: string;
  toolId: string;
  /** What was decided at the time. */
  then: ExplanationOutput;
}

/** The same call under the rules of now. Only when asked for: reading a caller's claims is written down each time. */
function Today({ callId, toolId, then }: TodayProps) {
  const [asked, setAsked] = useState(false);
  const today = useExplanation(asked ? { executionId: callId } : null, toolId);
  const gone = today.error instanceof Problem && today.error.errors.some(({ path }) => path.startsWith("explain"));
  const now = today.data?.explanations?.[toolId];
  const search = new URLSearchParams({ execution: callId, tool: toolId });
  return (
    <>
      <Button size="sm" pending={today.isFetching} onClick={() => (asked ? void today.refetch() : setAsked(true))}>
        Compare with today
      </Button>
      <div role="status" className="w-full text-sm empty:hidden">
        {gone ? (
          "Today there is no such tool."
        ) : today.isError ? (
          <ProblemNote error={today.error} />
        ) : now === undefined ? null : (
          <p>
            Today, under revision {today.data?.revision}: {inWords(now)}
            {now.visible === then.visible && now.reason === then.reason && ", as then"}.{" "}
            <TextLink href={`/admin/preview?${search}`}>Why</TextLink>
          </p>
        )}
      </div>
    </>
  );
}

function inWords({ visible, callable, reason }: ExplanationOutput): string {
  if (visible) return callable ? "visible" : "visible, not callable";
  return reason === null ? "hidden" : `hidden, ${lowered(REASON_WORDS[reason])}`;
}

function lowered(words: string): string {
  return words.slice(0, 1).toLowerCase() + words.slice(1);
}
