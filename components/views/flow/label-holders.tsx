import { useState } from "react";
import { Section } from "@/components/resource/section";
import { useGet } from "@/components/resource/use-get";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { useCan } from "@/components/resource/who";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { ToolId } from "@/components/ui/tool-id";
import { ClearButton, ClearLabel, latestOf } from "@/components/views/flow/clear-label";
import type { HeldLabelRow } from "@/lib/contracts/log/held-label";
import type { Row } from "@/lib/resources";

/** Who holds a label, since which call; a person can clear it with a reason. */
export function LabelHolders({ row: { name } }: { row: Row<"labels"> }) {
  const mayApprove = useCan("calls:approve");
  const key = ["labels", "held", name];
  const list = useGet<{ items: HeldLabelRow[]; more: boolean }>(key, `/api/admin/labels/${name}/held`);
  const [clearing, setClearing] = useState<HeldLabelRow | null>(null);
  return (
    <Section
      title="Held by"
      description="Callers and runs that hold the label now, and the call that raised it first."
      wide
    >
      <WhenLoaded of={list} skeleton="h-24 w-full">
        {({ items, more }) =>
          items.length === 0 ? (
            <p className="text-sm text-muted">
              No caller holds this label. Calls of tools that raise it will appear here.
            </p>
          ) : (
            <>
              <Holders items={items} onClear={mayApprove ? setClearing : null} />
              {more && <p className="text-xs text-muted">Only the {items.length} latest are shown.</p>}
            </>
          )
        }
      </WhenLoaded>
      {clearing !== null && (
        <ClearLabel
          label={name}
          holder={latestOf(list.data?.items, clearing)}
          queryKey={key}
          onClose={() => setClearing(null)}
        />
      )}
    </Section>
  );
}

interface HoldersProps {
  items: readonly HeldLabelRow[];
  onClear: ((row: HeldLabelRow) => void) | null;
}

function Holders({ items, onClear }: HoldersProps) {
  return (
    <Table label="Holders" stacks>
      <Headers of={["Caller", "Session", "Raised by", "Since", "Until", onClear !== null && { hidden: "Actions" }]} />
      <tbody>
        {items.map((item) => (
          <tr key={JSON.stringify([item.issuer, item.subject, item.session])}>
            <Td title={item.issuer}>{item.subject}</Td>
            <Td data-label="Session">
              {item.session === null ? (
                <span className="text-muted">all</span>
              ) : (
                <TextLink href={`/admin/sessions/${item.session}`}>{item.session.slice(0, 12)}…</TextLink>
              )}
            </Td>
            <Td data-label="Raised by">
              <TextLink href={`/admin/executions/${item.callId}`}>
                <ToolId id={item.toolId} />
              </TextLink>
            </Td>
            <Td data-label="Since" className="whitespace-nowrap text-muted">
              <Time at={item.at} />
            </Td>
            <Td data-label="Until" className="whitespace-nowrap text-muted">
              {item.until === null ? item.session === null ? "cleared" : "session ends" : <Time at={item.until} />}
            </Td>
            {onClear !== null && (
              <Td>
                <ClearButton isOwn={item.own} onClick={() => onClear(item)} aria-label={`Clear for ${item.subject}`} />
              </Td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
