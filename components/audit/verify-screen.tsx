import { ShieldCheck } from "lucide-react";
import { LogMonths } from "@/components/audit/log-months";
import { Report } from "@/components/audit/report";
import { useSeals, useVerify } from "@/components/audit/use-seals";
import { ProblemNote } from "@/components/resource/problem-note";
import { counted } from "@/components/ui/counted";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { CopyButton } from "@/components/ui/copy-button";
import { Skeleton } from "@/components/ui/skeleton";
import { Fact, Facts } from "@/components/ui/text/facts";
import { Time } from "@/components/ui/time";
import type { SealStatus } from "@/lib/contracts/log/seal";

/** The state of the log, and whether every row matches its seal. */
export function VerifyScreen() {
  const seals = useSeals(true);
  const verify = useVerify();
  return (
    <div
      className="flex min-h-0 flex-1 flex-col gap-6 overflow-auto p-5"
      tabIndex={0}
      role="region"
      aria-label="Integrity"
    >
      <header className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-80 flex-col gap-1">
          <h1 className="text-lg font-semibold tracking-tight">Integrity of the log</h1>
          <p className="max-w-prose text-sm text-pretty text-muted">
            Quartermaster seals rows in batches. Each seal is signed and linked to the seal before it. A verification
            reads every row and body and reports each one that was changed, removed, added or swapped.
          </p>
        </div>
        <Button variant="primary" pending={verify.isPending} onClick={() => verify.mutate()}>
          <ShieldCheck aria-hidden /> Verify now
        </Button>
      </header>
      {seals.isError ? (
        <ProblemNote error={seals.error} onRetry={() => void seals.refetch()} />
      ) : seals.isPending ? (
        <Skeleton className="h-40 shrink-0" />
      ) : (
        <Standing status={seals.data} />
      )}
      <div aria-live="polite">
        {verify.isPending && (
          <p className="text-sm text-muted">
            Reading every row. One million rows take about 30 seconds. Calls continue.
          </p>
        )}
        {verify.isError && <ErrorNote text={verify.error.message} />}
        {verify.isSuccess && <Report report={verify.data} />}
      </div>
      <LogMonths />
    </div>
  );
}

function Standing({ status }: { status: SealStatus }) {
  const { last, unsealed, oldestUnsealedAt, checkpoint, protection } = status;
  return (
    <Facts>
      <Fact label="Last seal">
        {last === null ? (
          "none yet"
        ) : (
          <>
            seal {last.number.toLocaleString("en")}, <Time at={last.at} />
            <span className="text-faint"> · {counted(last.count, "row")}</span>
          </>
        )}
      </Fact>
      <Fact label="Not sealed yet">
        {counted(unsealed, "row")}
        {oldestUnsealedAt !== null && (
          <span className="text-faint">
            {" "}
            · the oldest <Time at={oldestUnsealedAt} />
          </span>
        )}
      </Fact>
      <Fact label="Last checkpoint">
        {checkpoint === null ? (
          <span className="text-warn">
            none: a rollback of the whole database would not be detected. Set CHECKPOINT_FILE or CHECKPOINT_URL.
          </span>
        ) : (
          <>
            seal {checkpoint.number.toLocaleString("en")}, <Time at={checkpoint.at} />
            {checkpoint.number > (last?.number ?? 0) && <Badge tone="deny">missing from the database</Badge>}
          </>
        )}
      </Fact>
      <Fact label="Append-only enforced by">
        {protection === "role" ? (
          "a database role that can only add rows, and triggers"
        ) : (
          <span className="text-warn">triggers only: the database user cannot create roles</span>
        )}
      </Fact>
      {last !== null && (
        <Fact label="Signing key">
          <span className="font-mono text-xs break-all">{last.keyId}</span>{" "}
          <CopyButton text={last.keyId} label="Copy key id" />
        </Fact>
      )}
    </Facts>
  );
}
