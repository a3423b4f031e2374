import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { ChangedTools } from "@/components/impact/changed-tools";
import { circumstancesOf, countedWho, isAffected, TOOL_CHANGES } from "@/components/impact/impact-words";
import { counted } from "@/components/ui/counted";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { WithCode } from "@/components/ui/json/with-code";
import { TextLink } from "@/components/ui/text-link";
import { usePreviewHref } from "@/components/preview/preview-href";
import { OWN_ISSUER } from "@/lib/access/model/claims";
import type { ImpactCaller } from "@/lib/contracts/decisions/impact";

/** Callers shown at first. There may be hundreds. Callers that lose most come first. */
const FIRST = 20;

/** The callers whose tools a change affects, before → after. The others are counted, and listed on demand. */
export function ImpactCallers({ callers }: { callers: readonly ImpactCaller[] }) {
  const affected = callers.filter(isAffected);
  const unaffected = callers.filter((caller) => !isAffected(caller));
  const [all, setAll] = useState(false);
  const [unchanged, setUnchanged] = useState(false);
  const shown = all ? affected : affected.slice(0, FIRST);
  return (
    <>
      {affected.length > 0 && (
        <ul aria-label="Callers whose tools change" className="flex flex-col border-t border-line">
          {shown.map((caller) => (
            <li key={keyOf(caller)} className="flex flex-col gap-1 border-b border-line px-3 py-2 last:border-b-0">
              <CallerLine caller={caller} />
              {caller.problem !== null && !caller.isRefusedBefore && (
                <WithCode as="p" className="text-xs text-deny" text={caller.problem} />
              )}
              {caller.needsSession && (
                <p className="text-xs text-deny">Every request needs a session: one without it is invalid</p>
              )}
              {TOOL_CHANGES.map((kind) => (
                <ChangedTools key={kind} caller={caller} kind={kind} />
              ))}
            </li>
          ))}
          {shown.length < affected.length && (
            <li className="px-2 py-1">
              <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
                Show {counted(affected.length - shown.length, "more caller")}
              </Button>
            </li>
          )}
        </ul>
      )}
      {unaffected.length > 0 && (
        <details
          className="border-t border-line px-3 py-2"
          onToggle={(event) => setUnchanged(event.currentTarget.open)}
        >
          <summary className="w-fit rounded text-xs text-muted hover:text-ink">
            {countedWho(unaffected)} unchanged
          </summary>
          <ul aria-label="Callers whose tools do not change" className="mt-1.5 flex flex-col gap-1">
            {(unchanged ? unaffected : []).map((caller) => (
              <li key={keyOf(caller)}>
                <CallerLine caller={caller} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function keyOf({ kind, name, callId }: ImpactCaller): string {
  return `${kind} ${name} ${callId}`;
}

/** An agent can call by key, and by the tokens of connected clients or of an issuer, with other claims. */
function kindOf({ kind, issuer }: ImpactCaller): string {
  return kind === "agent" && issuer !== null && issuer !== OWN_ISSUER ? "agent, by token" : kind;
}

function CallerLine({ caller }: { caller: ImpactCaller }) {
  const { name, issuer, before, after } = caller;
  const href = usePreviewHref(caller);
  const circumstances = circumstancesOf(caller);
  const className = "min-w-0 truncate text-xs font-medium text-ink";
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      {href === null ? (
        <span title={issuer ?? undefined} className={className}>
          {name}
        </span>
      ) : (
        // A new tab keeps the edits of this page.
        <TextLink href={href} target="_blank" title={issuer ?? "Preview as this persona"} className={className}>
          {name}
        </TextLink>
      )}
      <Badge tone="outline">{kindOf(caller)}</Badge>
      <span className="ml-auto flex shrink-0 items-center gap-1 text-xs text-muted tabular-nums">
        {before.toLocaleString("en")}
        {before !== after && (
          <>
            <ArrowRight aria-label="to" className="size-3 text-faint" />
            <span className={cn("font-medium", after < before ? "text-deny" : "text-allow")}>
              {after.toLocaleString("en")}
            </span>
          </>
        )}
        <span className={cn(before !== after && "sr-only")}> {before === 1 && after === 1 ? "tool" : "tools"}</span>
      </span>
      {circumstances !== null && <WithCode as="p" className="w-full text-xs text-muted" text={circumstances} />}
    </div>
  );
}
