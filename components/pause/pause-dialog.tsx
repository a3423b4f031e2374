"use client";

import { useId, useState, type FormEvent } from "react";
import { usePause, whatOf } from "@/components/pause/change-pauses";
import { PauseReach } from "@/components/pause/pause-reach";
import { Problem } from "@/components/resource/request";
import { useNames } from "@/components/resource/use-names";
import { Button } from "@/components/ui/button";
import { Combobox } from "@/components/ui/forms/combobox";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Field } from "@/components/ui/forms/field";
import { Segmented } from "@/components/ui/forms/segmented";
import { Textarea } from "@/components/ui/forms/textarea";
import { toast } from "@/components/ui/overlays/toast";
import { WithCode } from "@/components/ui/json/with-code";
import type { PauseInput, PauseTarget } from "@/lib/resources/pause";

const SCOPES = [
  { value: "all", label: "Everyone" },
  { value: "source", label: "One source" },
  { value: "agent", label: "One agent" },
] as const;

interface PauseDialogProps {
  /** What is chosen at first. */
  start?: PauseTarget;
  onClose: () => void;
}

const EVERYTHING: PauseTarget = { scope: "all", name: null };

/** Shows which calls a pause would stop, then sets it. */
export function PauseDialog({ start = EVERYTHING, onClose }: PauseDialogProps) {
  const form = useId();
  const [target, setTarget] = useState<PauseTarget>(start);
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const pause = usePause();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(reason.trim() === "");
    if (reason.trim() === "") return;
    pause.mutate({ ...target, reason } satisfies PauseInput, {
      onSuccess: () => {
        toast({ title: `Paused ${whatOf(target)}` });
        onClose();
      },
    });
  };
  const problem = pause.error instanceof Problem ? pause.error : null;
  const errorAt = (path: string) => problem?.errors.find((error) => error.path === path)?.message;
  const named = target.scope === "all" || target.name !== null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Pause calls"
      description="Quartermaster refuses the calls until somebody resumes them."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="danger" pending={pause.isPending} disabled={!named}>
            Pause {named ? whatOf(target) : "calls"}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        {pause.error !== null && errorAt("reason") === undefined && errorAt("name") === undefined && (
          <p role="alert" className="rounded-lg bg-deny-soft px-3 py-2 text-deny">
            <WithCode text={pause.error.message} />
          </p>
        )}
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
            error={errorAt("name")}
            onChange={(name) => setTarget({ ...target, name })}
          />
        )}
        <Field
          label="Reason"
          hint="Agents get this reason with every refused call"
          error={missing ? "Enter a reason. Agents get this text" : errorAt("reason")}
        >
          <Textarea value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
        </Field>
        {named && <PauseReach target={target} />}
      </form>
    </Dialog>
  );
}

interface TargetNameProps {
  scope: "source" | "agent";
  name: string | null;
  error: string | undefined;
  onChange: (name: string | null) => void;
}

function TargetName({ scope, name, error, onChange }: TargetNameProps) {
  const options = useNames(scope === "source" ? "sources" : "agents");
  return (
    <Field label={scope === "source" ? "Source" : "Agent"} error={error}>
      <Combobox value={name} onChange={onChange} options={options} placeholder="Choose…" />
    </Field>
  );
}
