import { toastFailure } from "@/components/resource/review/toast-failure";
import { useState } from "react";
import { useSave } from "@/components/resource/editor/use-save";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { toast } from "@/components/ui/overlays/toast";
import { withoutMeta } from "@/components/views/row-input";
import type { Row } from "@/lib/resources";

const DisableDialog = lazyPart(async () => (await import("@/components/resource/remove/disable-dialog")).DisableDialog);
const PauseDialog = lazyPart(async () => (await import("@/components/pause/pause-dialog")).PauseDialog);

/** What disabling an agent does. */
export const WHEN_DISABLED =
  "Quartermaster refuses its requests at once, until somebody enables it again. Its page shows the refused attempts.";

/** Stops an agent for a while (pause) or until further notice (disable), and enables it again. */
export function StopAgent({ row }: { row: Row<"agents"> }) {
  const mayWrite = useCan("pause:write");
  const [dialog, setDialog] = useState<"disable" | "pause" | null>(null);
  const save = useSave("agents");
  const setEnabled = (enabled: boolean, disabledReason: string | null) =>
    save.mutate(
      { input: { ...withoutMeta(row), enabled, disabledReason }, replaces: { id: row.name, revision: row.revision } },
      {
        onSuccess: () => toast({ title: `${row.name} is ${enabled ? "enabled" : "disabled"}` }),
        onError: (error) => toastFailure(`${row.name} was not changed`, error),
      },
    );
  return (
    <>
      {mayWrite && row.enabled && (
        <Button
          size="sm"
          title="Refuses its calls until somebody resumes them. Its keys stay valid"
          onClick={() => setDialog("pause")}
        >
          Pause calls…
        </Button>
      )}
      <Button
        size="sm"
        pending={save.isPending}
        title={row.enabled ? "Rejects its keys and tokens until somebody enables it again" : undefined}
        onClick={() => (row.enabled ? setDialog("disable") : setEnabled(true, null))}
      >
        {row.enabled ? "Disable…" : "Enable"}
      </Button>
      {dialog === "disable" && (
        <DisableDialog
          id={row.name}
          effect={WHEN_DISABLED}
          onClose={() => setDialog(null)}
          onDisable={(reason) => {
            setDialog(null);
            setEnabled(false, reason);
          }}
        />
      )}
      {dialog === "pause" && <PauseDialog start={{ scope: "agent", name: row.name }} onClose={() => setDialog(null)} />}
    </>
  );
}
