"use client";

import { LockKeyhole, Plus } from "lucide-react";
import { useState } from "react";
import { ProblemNote } from "@/components/resource/problem-note";
import { DeleteSecret } from "@/components/secrets/delete-secret";
import { SetSecret } from "@/components/secrets/set-secret";
import { useSecrets } from "@/components/secrets/use-secrets";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { Table, Td, Th } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { SecretRow } from "@/lib/resources/secret";

type Doing = { readonly set: SecretRow | null } | { readonly remove: SecretRow };

/** What sources authenticate with: who uses each secret, when it was set and last used; never a value. */
export function SecretList({ canWrite }: { canWrite: boolean }) {
  const secrets = useSecrets();
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const add = (
    <Button variant="primary" onClick={() => setDoing({ set: null })}>
      <Plus aria-hidden /> New secret
    </Button>
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-start gap-3 px-5 py-4">
        <div>
          <h1 className="sr-only">Secrets</h1>
          <p className="max-w-2xl text-sm text-pretty text-muted">
            What sources authenticate to their upstreams with. A secret is stored encrypted, is sent only to its
            origins, and is never shown again{canWrite ? "." : "; administrators set it."}
          </p>
        </div>
        {canWrite && <div className="ml-auto">{add}</div>}
      </div>
      {secrets.isError ? (
        <ProblemNote error={secrets.error} onRetry={() => void secrets.refetch()} />
      ) : secrets.isPending ? (
        <Skeleton className="mx-5 h-32" />
      ) : secrets.data.length === 0 ? (
        <EmptyState icon={<LockKeyhole aria-hidden />} title="No secrets yet" action={canWrite ? add : undefined}>
          A source whose upstream wants a key, a password or a client secret names one here.
        </EmptyState>
      ) : (
        <Secrets rows={secrets.data} canWrite={canWrite} onDo={setDoing} />
      )}
      {doing !== null && "set" in doing && <SetSecret secret={doing.set} onClose={close} />}
      {doing !== null && "remove" in doing && <DeleteSecret secret={doing.remove} onClose={close} />}
    </div>
  );
}

function Secrets({
  rows,
  canWrite,
  onDo,
}: {
  rows: readonly SecretRow[];
  canWrite: boolean;
  onDo: (doing: Doing) => void;
}) {
  return (
    <Table label="Secrets">
      <thead>
        <tr>
          <Th className="pl-5">Name</Th>
          <Th>Used by</Th>
          <Th className="w-full">Sent to</Th>
          <Th>Set</Th>
          <Th>Last used</Th>
          {canWrite && (
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <Td className="pl-5 font-medium whitespace-nowrap">
              <span className="mr-2">{row.name}</span>
              {!row.readable && <Badge tone="deny">unreadable: set it again</Badge>}
            </Td>
            <Td className="whitespace-nowrap">
              {row.usedBy.length === 0 ? <span className="text-faint">nothing</span> : <Uses sources={row.usedBy} />}
            </Td>
            <Td>
              <span className="flex flex-wrap gap-1">
                {row.origins.map((origin) => (
                  <Badge key={origin} mono>
                    {origin}
                  </Badge>
                ))}
              </span>
            </Td>
            <Td>
              <Time at={row.setAt} />
            </Td>
            <Td>
              {row.lastUsedAt === null ? <span className="text-faint">never</span> : <Time at={row.lastUsedAt} />}
            </Td>
            {canWrite && (
              <Td className="pr-5">
                <span className="flex justify-end gap-1">
                  <Button size="sm" aria-label={`Set ${row.name}`} onClick={() => onDo({ set: row })}>
                    Set…
                  </Button>
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={`Delete ${row.name}`}
                    onClick={() => onDo({ remove: row })}
                  >
                    Delete
                  </Button>
                </span>
              </Td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Uses({ sources }: { sources: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {sources.map((source) => (
        <TextLink key={source} href={`/admin/sources/${encodeURIComponent(source)}`}>
          {source}
        </TextLink>
      ))}
    </span>
  );
}
