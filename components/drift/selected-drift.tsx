"use client";

import { useState } from "react";
import { ApproveDialog } from "@/components/drift/approve-dialog";
import { DECISIONS } from "@/components/drift/drift-words";
import { RejectDialog } from "@/components/drift/reject-dialog";
import { useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import type { DriftItem } from "@/lib/contracts/sources/drift";
import { can } from "@/lib/resources/permissions";

interface SelectedDriftProps {
  rows: readonly DriftItem[];
  onDone: () => void;
}

/** The two decisions about several tools. Each is for all of them or none. */
export function SelectedDrift({ rows, onDone }: SelectedDriftProps) {
  const { role } = useWho();
  const [deciding, setDeciding] = useState<"approve" | "reject" | null>(null);
  const close = () => setDeciding(null);
  const rejectable = rows.filter(({ kind, rejectedBy }) => DECISIONS[kind].reject !== null && rejectedBy === null);
  if (!can(role, "configuration:write")) return null;
  return (
    <>
      {rejectable.length > 0 && (
        <Button size="sm" onClick={() => setDeciding("reject")}>
          Reject {rejectable.length}…
        </Button>
      )}
      <Button size="sm" variant="primary" onClick={() => setDeciding("approve")}>
        Approve {rows.length}…
      </Button>
      {deciding === "approve" && <ApproveDialog rows={rows} onClose={close} onDecided={onDone} />}
      {deciding === "reject" && (
        <RejectDialog rows={rejectable} leftOut={rows.length - rejectable.length} onClose={close} onDecided={onDone} />
      )}
    </>
  );
}
