import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ShowMore } from "@/components/resource/list/load-more";
import { pageQuery } from "@/components/resource/list/page-query";
import { ProblemNote } from "@/components/resource/problem-note";
import { adminPath, request } from "@/components/resource/request";
import { useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { counted } from "@/components/ui/counted";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { toast } from "@/components/ui/overlays/toast";
import { Headers, Table, Td } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";
import type { RegistrationRow } from "@/lib/contracts/people/client-registration";
import { can } from "@/lib/resources/permissions";

const KEY = ["client-registrations"];

/** The clients that registered themselves, above the registered ones; nothing when there are none. */
export function ClientRegistrations() {
  const { role } = useWho();
  return can(role, "people:read") ? <Registrations mayRemove={can(role, "issuers:write")} /> : null;
}

function Registrations({ mayRemove }: { mayRemove: boolean }) {
  const [removing, setRemoving] = useState<RegistrationRow | null>(null);
  const list = useInfiniteQuery({
    ...pageQuery<RegistrationRow>(KEY, "/api/admin/client-registrations", { limit: "20" }),
    staleTime: 0,
  });
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  if (list.isLoadingError)
    return (
      <div className="p-5">
        <ProblemNote error={list.error} onRetry={() => void list.refetch()} />
      </div>
    );
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="self-registered" className="flex flex-col gap-3 border-y border-line px-5 py-4">
      <div>
        <h2 id="self-registered" className="text-sm font-semibold">
          Registered themselves
        </h2>
        <p className="text-sm text-muted">
          Nobody has checked these names. Unused clients are deleted after a day, used ones after 90 days.
        </p>
      </div>
      <Rows rows={rows} onRemove={mayRemove ? setRemoving : null} />
      <ShowMore pages={list} />
      {removing !== null && <Remove row={removing} onClose={() => setRemoving(null)} />}
    </section>
  );
}

function Rows({
  rows,
  onRemove,
}: {
  rows: readonly RegistrationRow[];
  onRemove: ((row: RegistrationRow) => void) | null;
}) {
  return (
    <Table label="Clients that registered themselves">
      <Headers
        of={[
          "Name",
          "Returns to",
          "Connections",
          "From",
          "Registered",
          "Last used",
          onRemove !== null && { hidden: "Actions" },
        ]}
      />
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <Td className="max-w-56 truncate" title={row.id}>
              <VisibleText text={nameOf(row)} />
            </Td>
            <Td className="w-full max-w-0 truncate font-mono text-xs" title={row.redirectUris.join("\n")}>
              <VisibleText text={row.redirectUris.join(", ")} />
            </Td>
            <Td className="text-right tabular-nums">{row.connections}</Td>
            <Td className="whitespace-nowrap text-muted">{row.address}</Td>
            <Td className="whitespace-nowrap text-muted">
              <Time at={row.createdAt} />
            </Td>
            <Td className="whitespace-nowrap text-muted">
              {row.lastUsedAt === null ? "never" : <Time at={row.lastUsedAt} />}
            </Td>
            {onRemove !== null && (
              <Td>
                <Button variant="ghost" size="sm" onClick={() => onRemove(row)} aria-label={`Remove ${nameOf(row)}`}>
                  Remove client
                </Button>
              </Td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Remove({ row, onClose }: { row: RegistrationRow; onClose: () => void }) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => request<undefined>(adminPath("client-registrations", row.id), { method: "DELETE" }),
    onSuccess: async () => {
      toast({ title: `${nameOf(row)} is removed` });
      onClose();
      await client.invalidateQueries({ queryKey: KEY });
    },
  });
  return (
    <ActionDialog
      title="Remove this client?"
      description={`${nameOf(row)} and ${counted(row.connections, "connection")} of it end. The client can register again.`}
      action="Remove client"
      tone="danger"
      pending={remove.isPending}
      error={remove.error?.message}
      onAct={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

function nameOf({ name, id }: RegistrationRow): string {
  return name === "" ? id : name;
}
