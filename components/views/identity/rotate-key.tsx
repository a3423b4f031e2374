import { toastFailure } from "@/components/resource/review/toast-failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { ConnectWith } from "@/components/agents/connect-with";
import { TimeField } from "@/components/resource/fields/time-field";
import { problemsByField, request } from "@/components/resource/request";
import { SecretDialog } from "@/components/resource/secret-dialog";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/overlays/toast";
import { WithCode } from "@/components/ui/json/with-code";
import { formatIn, useZone } from "@/components/ui/zone";
import type { Row } from "@/lib/resources";

type Key = Row<"api-keys">;

const OVERLAPS = [
  { value: "0", label: "No overlap: the old key stops at once" },
  { value: "1", label: "1 hour" },
  { value: "24", label: "24 hours" },
  { value: "72", label: "3 days" },
  { value: "168", label: "7 days" },
] as const;

/** Refetches the row's page and the list, because a rotation changes the row. */
function useRefetchKey(name: string) {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["api-keys", "row", name] }),
      client.invalidateQueries({ queryKey: ["api-keys", "list"] }),
    ]);
}

/** Gives a row a new key, shown once. The old key works for the selected overlap. */
export function RotateKey({ row }: { row: Key }) {
  const [asking, setAsking] = useState(false);
  const [key, setKey] = useState<string | null>(null);
  const refetch = useRefetchKey(row.name);
  return (
    <>
      <Button
        size="sm"
        disabled={!row.enabled}
        title={row.enabled ? undefined : "Enable the key before you rotate it"}
        onClick={() => setAsking(true)}
      >
        <RefreshCw aria-hidden /> Rotate
      </Button>
      {asking && (
        <RotateDialog
          row={row}
          onClose={() => setAsking(false)}
          onRotated={(next) => {
            setAsking(false);
            setKey(next);
          }}
        />
      )}
      {key !== null && (
        <SecretDialog
          title={`New API key ${row.name}`}
          what="API key"
          secret={key}
          onClose={() => {
            setKey(null);
            void refetch();
          }}
        >
          <ConnectWith agent={row.agent} secret={key} />
        </SecretDialog>
      )}
    </>
  );
}

interface RotateDialogProps {
  row: Key;
  onClose: () => void;
  onRotated: (key: string) => void;
}

function RotateDialog({ row, onClose, onRotated }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]["value"]>("24");
  const [expiresAt, setExpiresAt] = useState<string | null>(null);
  const rotate = useMutation({
    mutationFn: () =>
      request<{ key: string }>(`/api/admin/api-keys/${row.name}/rotate`, {
        method: "POST",
        body: { overlapHours: Number(overlap), expiresAt },
      }),
    onSuccess: ({ key }) => onRotated(key),
    gcTime: 0,
  });
  const problems = problemsByField(rotate.error, ["expiresAt"]);
  return (
    <ActionDialog
      title={`Rotate ${row.name}`}
      description="Creates a new key with the same name and shows it once. The old key keeps working during the overlap, so that you can replace it."
      action="Rotate"
      pending={rotate.isPending}
      error={problems.other}
      onAct={() => rotate.mutate()}
      onClose={onClose}
    >
      <Field label="Overlap">
        <Select value={overlap} onChange={setOverlap} options={OVERLAPS} />
      </Field>
      <TimeField
        path="expiresAt"
        value={expiresAt}
        onChange={setExpiresAt}
        error={problems.at.expiresAt}
        readOnly={false}
        label="Expiry of the new key"
        hint="Leave empty for 90 days from now"
      />
      {row.previousUntil !== null && (
        <p className="text-sm text-warn">
          <WithCode
            text={`The key before it, \`qm_${row.previousKeyId}_…\`, stops at once, even if its overlap has not ended.`}
          />
        </p>
      )}
    </ActionDialog>
  );
}

/** The key that the last rotation replaced: the time from which on it is refused, and a button that revokes it now. */
export function PreviousKey({ row }: { row: Key }) {
  const mayWrite = useCan("keys:write");
  const refetch = useRefetchKey(row.name);
  const moment = formatIn(useZone(), { dateStyle: "medium", timeStyle: "short" });
  const end = useMutation({
    mutationFn: () => request<undefined>(`/api/admin/api-keys/${row.name}/rotate`, { method: "DELETE" }),
    onSuccess: async () => {
      toast({ title: "The old key is revoked" });
      await refetch();
    },
    onError: (error) => toastFailure("The old key could not be revoked", error),
  });
  const { previousKeyId, previousLastFour, previousUntil } = row;
  if (previousUntil === null) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg bg-warn-soft px-3 py-2 text-sm">
      <span>
        The old key <code className="font-mono text-xs">{`qm_${previousKeyId}_…${previousLastFour}`}</code> stops at{" "}
        <time dateTime={previousUntil} className="tabular-nums">
          {moment.format(new Date(previousUntil))}
        </time>{" "}
        on (<Time at={previousUntil} />
        ).
      </span>
      {mayWrite && (
        <Button size="sm" className="ml-auto" pending={end.isPending} onClick={() => end.mutate()}>
          Revoke old key now
        </Button>
      )}
    </div>
  );
}
