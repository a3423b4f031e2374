"use client";

import { useId, useState, type FormEvent } from "react";
import { TimeField } from "@/components/resource/fields/time-field";
import type { Time } from "@/components/resource/filters/time-choice";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";

interface CustomTimeProps {
  from: string | undefined;
  to: string | undefined;
  onApply: (time: Time) => void;
  onClose: () => void;
}

/** Two times to narrow a list by; either may be empty. */
export function CustomTime({ from, to, onApply, onClose }: CustomTimeProps) {
  const form = useId();
  const [start, setStart] = useState(from ?? null);
  const [end, setEnd] = useState(to ?? null);
  const isReversed = start !== null && end !== null && start >= end;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReversed) return;
    onApply({ ...(start !== null && { from: start }), ...(end !== null && { to: end }) });
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Custom time range"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary">
            Apply range
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
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
      </form>
    </Dialog>
  );
}
