import { useState } from "react";
import { TimeField } from "@/components/resource/fields/time-field";
import type { TimeFilter } from "@/components/resource/filters/time-choice";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";

interface CustomTimeProps {
  from: string | undefined;
  to: string | undefined;
  onApply: (time: TimeFilter) => void;
  onClose: () => void;
}

/** Two times to narrow a list by; either may be empty. */
export function CustomTime({ from, to, onApply, onClose }: CustomTimeProps) {
  const [start, setStart] = useState(from ?? null);
  const [end, setEnd] = useState(to ?? null);
  const isReversed = start !== null && end !== null && start >= end;
  const apply = () => {
    if (isReversed) return;
    onApply({ ...(start !== null && { from: start }), ...(end !== null && { to: end }) });
    onClose();
  };
  return (
    <ActionDialog size="sm" title="Custom time range" action="Apply range" isForm onAct={apply} onClose={onClose}>
      <TimeField path="from" label="From" value={start} onChange={setStart} error={undefined} readOnly={false} />
      <TimeField
        path="to"
        label="To"
        hint="Leave empty to end now"
        value={end}
        onChange={setEnd}
        error={isReversed ? "Enter a time after the start" : undefined}
        readOnly={false}
      />
    </ActionDialog>
  );
}
