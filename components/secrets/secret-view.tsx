"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { LatestChanges } from "@/components/changes/latest-changes";
import { changesOf } from "@/components/changes/changes-of";
import { CopyMenu } from "@/components/resource/copy-menu";
import { DetailLayout } from "@/components/resource/detail-layout";
import { Peek } from "@/components/resource/peek";
import { ProblemNote } from "@/components/resource/problem-note";
import { useWho } from "@/components/resource/who";
import { DeleteSecret } from "@/components/secrets/delete-secret";
import { Origins, SecretName, Uses } from "@/components/secrets/secret-words";
import { SetSecret } from "@/components/secrets/set-secret";
import { useSecret } from "@/components/secrets/use-secrets";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { Fact, Facts } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { can } from "@/lib/resources/permissions";
import type { SecretRow } from "@/lib/resources/secret";

/** The page of one secret. */
export function SecretPage({ id: name }: { id: string }) {
  const router = useRouter();
  const secret = useSecret(name);
  if (secret.isLoadingError)
    return (
      <ProblemNote
        page
        error={secret.error}
        onRetry={() => void secret.refetch()}
        changes={changesOf("secrets", name)}
      />
    );
  if (secret.isPending) return <Skeleton className="m-5 h-48" />;
  const path = `secrets/${encodeURIComponent(name)}` as const;
  return (
    <DetailLayout
      label="Secret"
      asideLabel="Show history"
      aside={<LatestChanges resource="secrets" id={secret.data.name} />}
    >
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="min-w-0 text-lg font-semibold tracking-tight break-words">
          <SecretName secret={secret.data} />
        </h1>
        <div className="ml-auto flex items-center gap-1">
          <CopyMenu path={`/api/admin/${path}`} href={`/admin/${path}`} value={secret.data} />
          <Actions secret={secret.data} onGone={() => router.push("/admin/secrets")} />
        </div>
      </div>
      <Told secret={secret.data} />
    </DetailLayout>
  );
}

/** The same secret in a peek panel over the list. */
export function SecretPeek({ name, onClose }: { name: string; onClose: () => void }) {
  const secret = useSecret(name);
  return (
    <Peek
      id={name}
      title={name}
      description="secret"
      href={`/admin/secrets/${encodeURIComponent(name)}`}
      onClose={onClose}
    >
      {secret.isLoadingError ? (
        <ProblemNote error={secret.error} onRetry={() => void secret.refetch()} />
      ) : secret.isPending ? (
        <Skeleton className="h-48" />
      ) : (
        <div className="flex flex-col gap-6">
          <Told secret={secret.data} />
          <div className="flex gap-1">
            <Actions secret={secret.data} onGone={onClose} />
          </div>
        </div>
      )}
    </Peek>
  );
}

/** The facts about a secret: everything except its value. */
function Told({ secret }: { secret: SecretRow }) {
  const { usedBy, origins, setAt, lastUsedAt, readable } = secret;
  return (
    <Facts>
      {!readable && (
        <Fact label="Value">
          <span className="text-deny">
            The current master key can’t decrypt this value. Calls are refused until you set it again.
          </span>
        </Fact>
      )}
      <Fact label="Used by">
        <Uses sources={usedBy} />
      </Fact>
      <Fact label="Sent to">
        <Origins origins={origins} />
      </Fact>
      <Fact label="Set">
        <Time at={setAt} />
      </Fact>
      <Fact label="Last used">{lastUsedAt === null ? "never" : <Time at={lastUsedAt} />}</Fact>
    </Facts>
  );
}

function Actions({ secret, onGone }: { secret: SecretRow; onGone: () => void }) {
  const { role } = useWho();
  const [doing, setDoing] = useState<"set" | "delete" | null>(null);
  const close = () => setDoing(null);
  if (!can(role, "secrets:write")) return null;
  return (
    <>
      <Button size="sm" onClick={() => setDoing("set")}>
        Set…
      </Button>
      <Button size="sm" variant="ghost" onClick={() => setDoing("delete")}>
        Delete…
      </Button>
      {doing === "set" && <SetSecret secret={secret} onClose={close} />}
      {doing === "delete" && <DeleteSecret secret={secret} onClose={close} onDeleted={onGone} />}
    </>
  );
}
