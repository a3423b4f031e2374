import { useState } from "react";
import { WHEN_DISABLED } from "@/components/agents/when-disabled";
import { usePause } from "@/components/pause/change-pauses";
import { PauseReach } from "@/components/pause/pause-reach";
import { RequiredReason } from "@/components/resource/remove/required-reason";
import { problemsByField } from "@/components/resource/request";
import { Field } from "@/components/ui/forms/field";
import { toOptions } from "@/components/ui/forms/options";
import { Segmented } from "@/components/ui/forms/segmented";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";

/** The ways to stop an agent, and what each does. */
const WAYS = {
  pause: {
    label: "Pause calls",
    does: "Its tool list is empty and its calls are refused, until somebody resumes them. Its keys stay valid, and every page says that it is paused.",
  },
  disable: { label: "Disable agent", does: WHEN_DISABLED },
} as const;

type Way = keyof typeof WAYS;

interface StopDialogProps {
  agent: string;
  /** Whether this person may pause calls. Otherwise disabling is the only way. */
  mayPause: boolean;
  onDisable: (reason: string) => void;
  onClose: () => void;
}

/** Stops an agent: pauses its calls, or disables it. */
export function StopDialog({ agent, mayPause, onDisable, onClose }: StopDialogProps) {
  const [way, setWay] = useState<Way>(mayPause ? "pause" : "disable");
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const pause = usePause();
  const target = { scope: "agent", name: agent } as const;
  const problems = problemsByField(pause.error, ["reason"]);
  const stop = () => {
    const text = reason.trim();
    setMissing(text === "");
    if (text === "") return;
    if (way === "disable") return onDisable(text);
    pause.mutate({ ...target, reason: text }, { onSuccess: onClose });
  };
  return (
    <ActionDialog
      title={`Stop ${agent}`}
      description={WAYS[way].does}
      action={WAYS[way].label}
      tone="danger"
      pending={pause.isPending}
      error={problems.other}
      isForm
      onAct={stop}
      onClose={onClose}
    >
      {mayPause && (
        <Field label="How" group>
          <Segmented<Way>
            label="How"
            value={way}
            onChange={setWay}
            options={toOptions({ pause: WAYS.pause.label, disable: WAYS.disable.label })}
          />
        </Field>
      )}
      <RequiredReason
        value={reason}
        onChange={setReason}
        error={isMissing ? "Enter the reason" : problems.at.reason}
        {...(way === "pause" && { hint: "Agents get it with every refused call" })}
      />
      {way === "pause" && <PauseReach target={target} />}
    </ActionDialog>
  );
}
