"use client";

import { useState } from "react";
import { useGet } from "@/components/resource/use-get";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { ToolId } from "@/components/ui/tool-id";
import { ClearLabel } from "@/components/views/flow/clear-label";
import type { LabelOfHolder } from "@/lib/contracts/log/held-label";
import { can } from "@/lib/resources/permissions";

interface HeldLabelsProps {
  /** The agent or the session whose labels are shown. */
  by: "agent" | "session";
  id: string;
}

/** The labels that an agent or a session holds, since which call; a person can clear them with a reason. */
export function HeldLabels({ by, id }: HeldLabelsProps) {
  const key = ["labels", "of", by, id];
  const list = useGet<{ items: LabelOfHolder[]; more: boolean }>(
    key,
    `/api/admin/held-labels?${new URLSearchParams({ [by]: id })}`,
  );
  return (
    <WhenLoaded of={list} skeleton="h-10 w-full">
      {({ items, more }) => (
        <>
          <HeldItems items={items} queryKey={key} />
          {more && <p className="text-xs text-muted">Only the {items.length} latest are shown.</p>}
        </>
      )}
    </WhenLoaded>
  );
}

interface HeldItemsProps {
  items: readonly LabelOfHolder[];
  /** What shows the labels, and is fetched again once one is cleared. */
  queryKey: readonly string[];
}

/** Held labels, each with the call that raised it; a person can clear one with a reason. */
export function HeldItems({ items, queryKey }: HeldItemsProps) {
  const { role } = useWho();
  const [clearing, setClearing] = useState<LabelOfHolder | null>(null);
  const onClear = can(role, "calls:approve") ? setClearing : null;
  if (items.length === 0) return <p className="text-sm text-muted">None</p>;
  return (
    <>
      <ul aria-label="Held labels" className="flex flex-col gap-2 text-sm">
        {items.map((item) => (
          <li key={`${item.label} ${item.session ?? ""}`} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Held item={item} />
            {onClear !== null && (
              <Button
                variant="ghost"
                size="sm"
                className="ml-auto"
                onClick={() => onClear(item)}
                aria-label={`Clear ${item.label}`}
              >
                Clear…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {clearing !== null && (
        <ClearLabel label={clearing.label} holder={clearing} queryKey={queryKey} onClose={() => setClearing(null)} />
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
        since <Time at={at} />, raised by{" "}
      </span>
      <TextLink href={`/admin/executions/${encodeURIComponent(callId)}`}>
        <ToolId id={toolId} />
      </TextLink>
      <span className="text-muted">
        {session === null ? "" : ", in one session"}
        {until === null ? "" : ", until "}
        {until !== null && <Time at={until} />}
      </span>
    </span>
  );
}
