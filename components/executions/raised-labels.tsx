import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { ToolId } from "@/components/ui/tool-id";
import type { RaisedLabelRow } from "@/lib/contracts/log/held-label";

/** The labels that a caller held, each with the call that raised it. */
export function RaisedLabels({ raisedBy }: { raisedBy: readonly RaisedLabelRow[] }) {
  return (
    <ul aria-label="Held labels" className="flex flex-col gap-1 text-sm">
      {raisedBy.map(({ label, callId, toolId, at }) => (
        <li key={label}>
          <span className="font-medium">{label}</span>
          <span className="text-muted">, raised by </span>
          <TextLink href={`/admin/executions/${encodeURIComponent(callId)}`}>
            <ToolId id={toolId} />
          </TextLink>
          <span className="text-muted">
            {" "}
            on <Time at={at} exact />
          </span>
        </li>
      ))}
    </ul>
  );
}
