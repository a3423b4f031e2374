import { useState } from "react";
import { useResume } from "@/components/pause/change-pauses";
import { usePauseOfAgent } from "@/components/pause/use-pauses";
import { useRowSwitch } from "@/components/resource/list/switch-column";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { withoutMeta } from "@/components/views/row-input";
import type { Row } from "@/lib/resources";

const StopDialog = lazyPart(async () => (await import("@/components/agents/stop-dialog")).StopDialog);

/**
 * Stops an agent for a while (pause) or until further notice (disable), and lets it call again. Offers only what ends its
 * present status: a disabled agent is enabled, and a paused one resumes.
 */
export function StopAgent({ row }: { row: Row<"agents"> }) {
  const mayPause = useCan("pause:write");
  const [stopping, setStopping] = useState(false);
  const { turn, check, isPending, dialog } = useRowSwitch({
    resource: "agents",
    id: row.name,
    row,
    checked: row.enabled,
    reason: row.disabledReason ?? "",
    field: "enabled",
    toInput: (now, enabled, reason) => ({
      ...withoutMeta(now),
      enabled,
      disabledReason: enabled || reason === "" ? null : reason,
    }),
  });
  const pause = usePauseOfAgent(row.name);
  const resume = useResume();
  const resumes = row.enabled && mayPause ? pause : null;
  // The dialog stays mounted when its own pause begins: it closes once the save is done.
  return (
    <>
      {resumes !== null ? (
        <Button size="sm" pending={resume.isPending} onClick={() => resume.mutate(resumes)}>
          Resume calls
        </Button>
      ) : (
        <Button size="sm" pending={isPending} onClick={() => (row.enabled ? setStopping(true) : check(true))}>
          {row.enabled ? "Stop…" : "Enable"}
        </Button>
      )}
      {stopping && (
        <StopDialog
          agent={row.name}
          mayPause={mayPause}
          onClose={() => setStopping(false)}
          onDisable={(reason) => {
            setStopping(false);
            turn(false, reason);
          }}
        />
      )}
      {dialog}
    </>
  );
}
