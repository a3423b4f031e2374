import { useState } from "react";
import { WHEN_DISABLED } from "@/components/agents/when-disabled";
import { usePause } from "@/components/pause/change-pauses";
import { PauseReach, WaitingCalls } from "@/components/pause/pause-reach";
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
    does: "It still signs in, but its tool list is empty and every call is refused with your reason, until somebody resumes its calls.",
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
      description={
        mayPause ? "Both take effect at once and can be taken back." : "Takes effect at once and can be taken back."
      }
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
      <ul className="flex flex-col gap-1.5 text-sm text-pretty text-muted">
        {Object.values(mayPause ? WAYS : { disable: WAYS.disable }).map(({ label, does }) => (
          <li key={label}>
            <strong className="font-medium text-ink">{label}:</strong> {does}
          </li>
        ))}
      </ul>
      <RequiredReason
        value={reason}
        onChange={setReason}
        error={isMissing ? "Enter the reason" : problems.at.reason}
        {...(way === "pause" && { hint: "Agents get it with every refused call" })}
      />
      {way === "pause" && <PauseReach target={target} />}
      <p className="text-sm text-warn empty:hidden">
        {way === "disable" && <WaitingCalls of={{ agent }} meanwhile="while the agent is disabled" />}
      </p>
    </ActionDialog>
  );
}
