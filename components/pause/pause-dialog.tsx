import { useState } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { usePause, whatOf } from "@/components/pause/change-pauses";
import { PauseReach } from "@/components/pause/pause-reach";
import { RequiredReason } from "@/components/resource/remove/required-reason";
import { problemsByField } from "@/components/resource/request";
import { useTypedNames } from "@/components/resource/use-names";
import { Combobox } from "@/components/ui/forms/combobox";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Field } from "@/components/ui/forms/field";
import { Segmented } from "@/components/ui/forms/segmented";
import type { PauseInput, PauseTarget } from "@/lib/resources/pause";

const SCOPES = toOptions({ all: "Everyone", source: "One source", agent: "One agent" });

const EVERYTHING: PauseTarget = { scope: "all", name: null };

/** Shows which calls a pause would stop, then sets it. */
export function PauseDialog({ onClose }: { onClose: () => void }) {
  const [target, setTarget] = useState(EVERYTHING);
  const [reason, setReason] = useState("");
  const [isReasonMissing, setReasonMissing] = useState(false);
  const pause = usePause();
  const act = () => {
    setReasonMissing(reason.trim() === "");
    if (reason.trim() === "") return;
    pause.mutate({ ...target, reason } satisfies PauseInput, { onSuccess: onClose });
  };
  const problems = problemsByField(pause.error, ["reason", "name"]);
  const isNamed = target.scope === "all" || target.name !== null;
  return (
    <ActionDialog
      title="Pause calls"
      description="Quartermaster refuses the calls until somebody resumes them."
      action={`Pause ${isNamed ? whatOf(target) : "calls"}`}
      tone="danger"
      pending={pause.isPending}
      disabled={!isNamed}
      error={problems.other}
      isForm
      onAct={act}
      onClose={onClose}
    >
      <Field label="Scope" group>
        <Segmented
          label="Scope"
          value={target.scope}
          onChange={(scope) => setTarget({ scope, name: null })}
          options={SCOPES}
        />
      </Field>
      {target.scope !== "all" && (
        <TargetName
          key={target.scope}
          scope={target.scope}
          name={target.name}
          error={problems.at.name}
          onChange={(name) => setTarget({ ...target, name })}
        />
      )}
      <RequiredReason
        value={reason}
        onChange={setReason}
        hint="Agents get it with every refused call"
        error={isReasonMissing ? "Enter the reason" : problems.at.reason}
      />
      {isNamed && <PauseReach target={target} />}
    </ActionDialog>
  );
}

interface TargetNameProps {
  scope: "source" | "agent";
  name: string | null;
  error: string | undefined;
  onChange: (name: string | null) => void;
}

function TargetName({ scope, name, error, onChange }: TargetNameProps) {
  const { picker } = useTypedNames(scope === "source" ? "sources" : "agents");
  return (
    <Field label={scope === "source" ? "Source" : "Agent"} error={error}>
      <Combobox {...picker} value={name} onChange={onChange} placeholder="Select…" />
    </Field>
  );
}
