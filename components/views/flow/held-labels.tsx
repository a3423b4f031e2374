import { useState } from "react";
import { useGet } from "@/components/resource/use-get";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { useCan } from "@/components/resource/who";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { ToolId } from "@/components/ui/tool-id";
import { ClearButton, ClearLabel, latestOf } from "@/components/views/flow/clear-label";
import type { LabelOfHolder, LabelsOfHolder, LabelSpan } from "@/lib/contracts/log/held-label";

interface HeldLabelsProps {
  /** The agent or the session whose labels are shown. */
  by: "agent" | "session";
  id: string;
}

/** The labels that an agent or a session holds, each with the call that raised it. A person can clear one with a reason. */
export function HeldLabels({ by, id }: HeldLabelsProps) {
  return (
    <WhenLoaded of={useLabelsOf({ by, id })} skeleton="h-10 w-full">
      {({ items, more }) => (
        <>
          <HeldItems items={items} queryKey={keyOf({ by, id })} />
          {more && <p className="text-xs text-muted">Only the {items.length} latest are shown.</p>}
        </>
      )}
    </WhenLoaded>
  );
}

/** The labels of an agent or a session. The components of a page share one request. */
function useLabelsOf({ by, id }: HeldLabelsProps) {
  return useGet<LabelsOfHolder>(keyOf({ by, id }), `/api/admin/held-labels?${new URLSearchParams({ [by]: id })}`);
}

function keyOf({ by, id }: HeldLabelsProps): readonly string[] {
  return ["labels", "of", by, id];
}

/** The labels that the calls of a session raised, call by call, each with the time until which it is held. */
export function LabelHistory({ session }: { session: string }) {
  return (
    <WhenLoaded of={useLabelsOf({ by: "session", id: session })} skeleton="h-10 w-full">
      {({ history }) =>
        history.length === 0 ? (
          <p className="text-sm text-muted">No call raised a label</p>
        ) : (
          <ol aria-label="Raised labels" className="flex flex-col gap-2 text-sm">
            {history.map((span) => (
              <Span key={`${span.callId} ${span.label} ${span.at}`} span={span} />
            ))}
          </ol>
        )
      }
    </WhenLoaded>
  );
}

function Span({ span }: { span: LabelSpan }) {
  const { label, scope, callId, toolId, at, calls, byResult, until, cleared } = span;
  return (
    <li className="flex flex-wrap items-baseline gap-x-3">
      <Time at={at} exact />
      <span className="min-w-0">
        <TextLink href={`/admin/executions/${encodeURIComponent(callId)}`} className="font-mono text-xs break-all">
          {toolId}
        </TextLink>
        <span className="text-muted"> raised </span>
        <TextLink href={`/admin/labels/${encodeURIComponent(label)}`}>{label}</TextLink>
        <span className="text-muted"> on the {scope === "run" ? "session" : "caller"}</span>
        {byResult && <span className="text-muted"> again, with its result</span>}
        {calls > 1 && <span className="text-muted">, raised by {calls.toLocaleString("en")} calls</span>}
        <span className="text-muted">
          , held until{" "}
          {cleared !== null ? (
            <>
              {cleared.by} cleared it <Time at={cleared.at} exact />
            </>
          ) : until !== null ? (
            <Time at={until} exact />
          ) : scope === "run" ? (
            "the session ends"
          ) : (
            "a person clears it"
          )}
        </span>
      </span>
    </li>
  );
}

interface HeldItemsProps {
  items: readonly LabelOfHolder[];
  /** The key of the query that read the labels. It is fetched again when the server refuses to clear one. */
  queryKey: readonly string[];
}

/** Held labels, each with the call that raised it. A person can clear one with a reason. */
export function HeldItems({ items, queryKey }: HeldItemsProps) {
  const mayApprove = useCan("calls:approve");
  const [clearing, setClearing] = useState<LabelOfHolder | null>(null);
  const onClear = mayApprove ? setClearing : null;
  if (items.length === 0) return <p className="text-sm text-muted">None</p>;
  return (
    <>
      <ul aria-label="Held labels" className="flex flex-col gap-2 text-sm">
        {items.map((item) => (
          <li key={`${item.label} ${item.session ?? ""}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Held item={item} />
            {onClear !== null && (
              <ClearButton
                isOwn={item.own}
                className="ml-auto"
                onClick={() => onClear(item)}
                aria-label={`Clear ${item.label}`}
              />
            )}
          </li>
        ))}
      </ul>
      {clearing !== null && (
        <ClearLabel
          label={clearing.label}
          holder={latestOf(items, clearing)}
          queryKey={queryKey}
          onClose={() => setClearing(null)}
        />
      )}
    </>
  );
}

function Held({ item: { label, session, callId, toolId, at, until } }: { item: LabelOfHolder }) {
  return (
    <span className="min-w-0">
      <TextLink href={`/admin/labels/${encodeURIComponent(label)}`}>{label}</TextLink>
      <span className="text-muted">
        {" "}
        raised <Time at={at} /> by{" "}
      </span>
      <TextLink href={`/admin/executions/${encodeURIComponent(callId)}`}>
        <ToolId id={toolId} />
      </TextLink>
      <span className="text-muted">
        {session === null ? "" : ", in one session"}
        {until === null ? "" : ", ends "}
        {until !== null && <Time at={until} />}
      </span>
    </span>
  );
}
