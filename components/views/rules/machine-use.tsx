import { useState } from "react";
import { NOTICE_QUERY } from "@/components/resource/detail/notices";
import { storeChanges } from "@/components/resource/editor/stored-draft";
import { useGo } from "@/components/resource/go";
import { useGet } from "@/components/resource/use-get";
import { useTypedNames } from "@/components/resource/use-names";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { Combobox } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { TextLink } from "@/components/ui/text-link";
import { OffNote } from "@/components/views/disabled-note";
import type { Page } from "@/lib/contracts/changes/list";
import type { Row } from "@/lib/resources";

/** Says on a state machine's page that no agent has it yet, and assigns it. Hidden while one has. */
export function MachineUse({ machine }: { machine: string }) {
  const mayWrite = useCan("configuration:write");
  const [assigning, setAssigning] = useState(false);
  const filters = new URLSearchParams({ machine, limit: "1" });
  const agents = useGet<Page<Row<"agents">>>(["agents", "using", machine], `/api/admin/agents?${filters}`, {
    ...NOTICE_QUERY,
    staleTime: 0,
  });
  if (agents.data === undefined || agents.data.total > 0) return null;
  return (
    <>
      <OffNote word="Not assigned">
        No agent has this state machine yet.{" "}
        {mayWrite ? (
          <Button size="sm" onClick={() => setAssigning(true)}>
            Assign to an agent…
          </Button>
        ) : (
          <>
            It is selected in the settings of an agent under <TextLink href="/admin/agents">Agents & keys</TextLink>.
          </>
        )}
      </OffNote>
      {assigning && <AssignDialog machine={machine} onClose={() => setAssigning(false)} />}
    </>
  );
}

function AssignDialog({ machine, onClose }: { machine: string; onClose: () => void }) {
  const go = useGo();
  const { picker } = useTypedNames("agents");
  const [agent, setAgent] = useState<string | null>(null);
  return (
    <ActionDialog
      size="sm"
      title={`Assign ${machine}`}
      description="The settings of the agent open with this state machine selected. Nothing changes until you save them."
      action="Open agent"
      disabled={agent === null}
      isForm
      onAct={() => {
        if (agent === null) return;
        onClose();
        go(storeChanges("agents", agent, { machine }));
      }}
      onClose={onClose}
    >
      <Field label="Agent">
        <Combobox {...picker} value={agent} onChange={setAgent} placeholder="Select…" />
      </Field>
    </ActionDialog>
  );
}
