import { useState } from "react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { bodiesInWords } from "@/components/executions/body-words";
import { ProblemNote } from "@/components/resource/problem-note";
import { counted } from "@/components/ui/counted";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Skeleton } from "@/components/ui/skeleton";
import { Fact, Facts } from "@/components/ui/text/facts";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/overlays/toast";
import type { ErasureInput, ErasureOutput } from "@/lib/contracts/log/erasure";
import { request } from "@/components/resource/request";

interface EraseDialogProps {
  erasure: ErasureInput;
  onClose: () => void;
}

/** Erases a caller's bodies. Asks for the issuer of a subject first, if it is not known. */
export function EraseDialog({ erasure, onClose }: EraseDialogProps) {
  const [issuer, setIssuer] = useState(erasure.issuer);
  if (erasure.subject !== undefined && issuer === undefined)
    return <IssuerDialog subject={erasure.subject} onIssuer={setIssuer} onClose={onClose} />;
  return <ConfirmDialog erasure={{ ...erasure, ...(issuer !== undefined && { issuer }) }} onClose={onClose} />;
}

interface IssuerDialogProps {
  subject: string;
  onIssuer: (issuer: string) => void;
  onClose: () => void;
}

function IssuerDialog({ subject, onIssuer, onClose }: IssuerDialogProps) {
  const [typed, setTyped] = useState("");
  return (
    <ActionDialog
      size="sm"
      title={`Erase arguments and results of ${subject}`}
      description="A subject is unique only within its issuer. The next step shows what will be erased."
      action="Continue"
      isForm
      disabled={typed.trim() === ""}
      onAct={() => onIssuer(typed.trim())}
      onClose={onClose}
    >
      <Field label="Issuer" hint="As the calls of the subject show it">
        <Input
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          maxLength={512}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-xs"
        />
      </Field>
    </ActionDialog>
  );
}

/** Confirms an erasure: shows the amount, and requires the typed name of the caller. */
function ConfirmDialog({ erasure, onClose }: EraseDialogProps) {
  const [typed, setTyped] = useState("");
  const count = useErasureCount(erasure);
  const erase = useErase(({ bodies, calls }) => {
    const of = erasure.issuer === undefined ? "" : ` of ${name} of ${erasure.issuer}`;
    toast({ title: `Erased ${bodiesInWords(bodies)} of ${counted(calls, "call")}${of}` });
    onClose();
  });
  const name = erasure.agent ?? erasure.subject ?? "";
  const isEmpty = count.data !== undefined && count.data.bodies + count.data.claims + count.data.sessions === 0;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={`Erase arguments and results of ${name}?`}
      description="You cannot undo this. The log keeps the caller, tool, time and outcome of each call, and all seals."
      footer={
        <>
          <Button onClick={onClose}>{isEmpty ? "Close" : "Cancel"}</Button>
          {!isEmpty && (
            <Button
              variant="danger"
              disabled={typed !== name || !count.isSuccess}
              pending={erase.isPending}
              onClick={() => erase.mutate({ ...erasure, ...(count.data !== undefined && { to: count.data.to }) })}
            >
              Erase permanently
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {count.isError ? (
          <ProblemNote error={count.error} onRetry={() => void count.refetch()} />
        ) : count.isPending ? (
          <Skeleton className="h-24" />
        ) : isEmpty ? (
          <p className="text-sm text-muted">There is nothing to erase.</p>
        ) : (
          <>
            <Counts erasure={erasure} count={count.data} />
            <Field label={`Type ${name} to erase`}>
              <Input
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                autoComplete="off"
                spellCheck={false}
                className="font-mono text-xs"
              />
            </Field>
          </>
        )}
        {erase.isError && <ErrorNote text={erase.error.message} />}
      </div>
    </Dialog>
  );
}

function Counts({ erasure, count }: { erasure: ErasureInput; count: ErasureOutput }) {
  return (
    <Facts>
      {erasure.issuer !== undefined && (
        <Fact label="Issuer">
          <span className="break-all">{erasure.issuer}</span>
        </Fact>
      )}
      {(erasure.from ?? erasure.to) !== undefined && (
        <Fact label="Time range">
          {erasure.from !== undefined && (
            <>
              from <Time at={erasure.from} />
            </>
          )}{" "}
          to {erasure.to === undefined ? "now" : <Time at={erasure.to} />}
        </Fact>
      )}
      <Fact label="Arguments and results">
        {bodiesInWords(count.bodies)} of {counted(count.calls, "call")}
      </Fact>
      <Fact label="Claims">{counted(count.claims, "set")}</Fact>
      <Fact label="Sessions">{counted(count.sessions, "question and history", "questions and histories")}</Fact>
    </Facts>
  );
}

const ERASURE_PATH = "/api/admin/executions/erasure";

/** Counts what an erasure would delete. */
function useErasureCount(erasure: ErasureInput) {
  return useQuery({
    queryKey: ["executions", "erasure", erasure],
    queryFn: ({ signal }) =>
      request<ErasureOutput>(`${ERASURE_PATH}?dryRun=true`, { method: "POST", body: erasure, signal }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Erases, once. */
function useErase(onDone: (erased: ErasureOutput) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (erasure: ErasureInput) => request<ErasureOutput>(ERASURE_PATH, { method: "POST", body: erasure }),
    onSuccess: async (erased) => {
      await client.invalidateQueries({ queryKey: ["executions"] });
      onDone(erased);
    },
  });
}
