import type { ReactNode } from "react";
import { usePauseOfAgent } from "@/components/pause/use-pauses";
import { Badge } from "@/components/ui/badge";
import { VisibleText } from "@/components/ui/visible-text";
import { DisabledNote, OffNote } from "@/components/views/disabled-note";
import type { Row } from "@/lib/resources";

interface AgentProps {
  row: Row<"agents">;
}

/** The one status of an agent that does not serve calls. Disabled outweighs paused: it refuses every request. */
export function AgentBadge({ row }: AgentProps) {
  const isPaused = usePauseOfAgent(row.name) !== null;
  if (!row.enabled) return <Badge tone="warn">disabled</Badge>;
  return isPaused ? <Badge tone="warn">paused</Badge> : null;
}

/** The switch of an agent in the list, with the pause that keeps an enabled agent from calling. */
export function EnabledCell({ row, children }: AgentProps & { children: ReactNode }) {
  const isPaused = usePauseOfAgent(row.name) !== null;
  return (
    <span className="flex items-center gap-2">
      {children}
      {isPaused && row.enabled && <Badge tone="warn">paused</Badge>}
    </span>
  );
}

/** Why an agent does not serve calls, and what to select next. */
export function AgentNote({ row }: AgentProps) {
  const pause = usePauseOfAgent(row.name);
  if (!row.enabled)
    return (
      <DisabledNote row={row}>
        Quartermaster refuses every request of this agent. To let it call again, select Enable
        {pause !== null && ", and then Resume calls, because its calls are also paused"}.
      </DisabledNote>
    );
  if (pause === null) return null;
  return (
    <OffNote word="Paused">
      The tool list of this agent is empty, and its calls are refused. It stays enabled, and its keys stay valid. To let
      it call again, select Resume calls. Reason: <VisibleText text={pause.reason} />
    </OffNote>
  );
}
