import { useState } from "react";
import { ObjectHeading } from "@/components/resource/object-heading";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { useCan } from "@/components/resource/who";
import { Candidates } from "@/components/rightsizing/candidates";
import { KeepDialog } from "@/components/rightsizing/keep-dialog";
import { DEMO_COUNTS } from "@/components/rightsizing/use-note";
import { useKeep, usePolicyUse, useWindow, WINDOW_CHOICES } from "@/components/rightsizing/use-rightsizing";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Segmented } from "@/components/ui/forms/segmented";
import { Fact, Facts } from "@/components/ui/text/facts";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import type { RightsizingDetail } from "@/lib/contracts/decisions/rightsizing";

/** The page of one policy: its tools by use, and smaller grants. */
export function PolicyUsePage({ id }: { id: string }) {
  const [days, setDays] = useWindow();
  return (
    <WhenLoaded page of={usePolicyUse(id, days)} skeleton="m-5 h-96">
      {(use) => (
        <DetailLayout label="Use of a policy" asideLabel="Counts" aside={<Counts use={use} />}>
          <ObjectHeading title={id} path={`rightsizing/${encodeURIComponent(id)}`} value={use}>
            <Segmented label="Period" value={days} onChange={(value) => void setDays(value)} options={WINDOW_CHOICES} />
          </ObjectHeading>
          {use.demo && <p className="text-sm text-muted">{DEMO_COUNTS}</p>}
          <Candidates use={use} days={days} />
          <Tools use={use} />
        </DetailLayout>
      )}
    </WhenLoaded>
  );
}

function Counts({ use }: { use: RightsizingDetail }) {
  return (
    <Facts>
      <Fact label="Policy">
        <TextLink href={`/admin/policies/${encodeURIComponent(use.policy)}`}>{use.policy}</TextLink>
      </Fact>
      <Fact label="Callers">{use.callers.toLocaleString("en")}</Fact>
      <Fact label="Tools granted">{use.granted.toLocaleString("en")}</Fact>
      <Fact label="Tools used">{use.used.toLocaleString("en")}</Fact>
      <Fact label="Tools unused">{use.changed ? "not known: policy changed" : use.unused.toLocaleString("en")}</Fact>
      <Fact label="Marked to keep">{use.kept.toLocaleString("en")}</Fact>
      {!use.changed && <Fact label="Tokens of unused tools">{use.tokens.toLocaleString("en")}</Fact>}
    </Facts>
  );
}

function Tools({ use }: { use: RightsizingDetail }) {
  const [keeping, setKeeping] = useState<string | null>(null);
  const canWrite = useCan("configuration:write");
  const remove = useKeep(use.policy, () => {});
  if (use.tools.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">Tools</h2>
      <Table label="Tools of the policy" compact stacks>
        <Headers
          of={[
            "Tool",
            ["Calls", "text-right"],
            ["Callers", "text-right"],
            "Last call",
            "Use",
            canWrite && { hidden: "Actions" },
          ]}
        />
        <tbody>
          {use.tools.map((row) => (
            <ToolRow
              key={row.tool}
              row={row}
              whatChanged={use.changed ? "policy" : "tool"}
              canWrite={canWrite}
              onKeep={() => setKeeping(row.tool)}
              onRemoveMark={() => remove.mutate({ tools: [row.tool], reason: null })}
            />
          ))}
        </tbody>
      </Table>
      {keeping !== null && <KeepDialog policy={use.policy} tool={keeping} onClose={() => setKeeping(null)} />}
    </section>
  );
}

interface ToolRowProps {
  row: RightsizingDetail["tools"][number];
  /** What changed, if it is not known whether the tool is unused. */
  whatChanged: "policy" | "tool";
  canWrite: boolean;
  onKeep: () => void;
  onRemoveMark: () => void;
}

export function ToolRow({ row, whatChanged, canWrite, onKeep, onRemoveMark }: ToolRowProps) {
  const { tool, calls, callers, lastDay, unused, changed, kept } = row;
  return (
    <tr>
      <Td className="font-mono text-xs">
        <TextLink href={`/admin/tools/${encodeURIComponent(tool)}`}>{tool}</TextLink>
      </Td>
      <Td data-label="Calls" data-short className="text-right tabular-nums">
        {calls.toLocaleString("en")}
      </Td>
      <Td data-label="Callers" data-short className="text-right tabular-nums">
        {callers.toLocaleString("en")}
      </Td>
      <Td data-label="Last call">{lastDay ?? "none"}</Td>
      <Td data-label="Use">
        {kept === null ? (
          unused ? (
            <Badge tone="warn">unused</Badge>
          ) : changed && calls === 0 ? (
            <Badge>not known: {whatChanged} changed</Badge>
          ) : (
            "used"
          )
        ) : (
          <span title={`${kept.by}, ${kept.at.slice(0, 10)}`}>kept: {kept.reason}</span>
        )}
      </Td>
      {canWrite && (
        <Td>
          {kept !== null ? (
            <Button size="sm" variant="ghost" onClick={onRemoveMark}>
              Remove mark
            </Button>
          ) : (
            unused && (
              <Button size="sm" variant="ghost" onClick={onKeep}>
                Keep tool
              </Button>
            )
          )}
        </Td>
      )}
    </tr>
  );
}
