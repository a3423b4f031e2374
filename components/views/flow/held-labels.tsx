"use client";

import { useState } from "react";
import { useGet } from "@/components/resource/use-get";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
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
  const { role } = useWho();
  const key = ["labels", "of", by, id];
  const list = useGet<{ items: LabelOfHolder[]; more: boolean }>(
    key,
    `/api/admin/held-labels?${new URLSearchParams({ [by]: id })}`,
  );
  const [clearing, setClearing] = useState<LabelOfHolder | null>(null);
  const onClear = can(role, "calls:approve") ? setClearing : null;
  return (
    <>
      <WhenLoaded of={list} skeleton="h-10 w-full">
        {({ items, more }) =>
          items.length === 0 ? (
            <p className="text-sm text-muted">None</p>
          ) : (
            <>
              <ul aria-label="Held labels" className="flex flex-col gap-2 text-sm">
                {items.map((item) => (
                  <li
                    key={`${item.label} ${item.session ?? ""}`}
                    className="flex flex-wrap items-center gap-x-3 gap-y-1"
                  >
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
              {more && <p className="text-xs text-muted">Only the {items.length} latest are shown.</p>}
            </>
          )
        }
      </WhenLoaded>
      {clearing !== null && (
        <ClearLabel label={clearing.label} holder={clearing} queryKey={key} onClose={() => setClearing(null)} />
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
      <TextLink href={`/admin/executions/${encodeURIComponent(callId)}`} className="font-mono text-xs break-all">
        {toolId}
      </TextLink>
      <span className="text-muted">
        {session === null ? "" : ", in one session"}
        {until === null ? "" : ", until "}
        {until !== null && <Time at={until} />}
      </span>
    </span>
  );
}
