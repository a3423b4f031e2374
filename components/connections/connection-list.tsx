import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Unplug } from "lucide-react";
import { useState } from "react";
import { storeInTab } from "@/components/preview/tab-storage";
import { useGo } from "@/components/resource/go";
import { ProblemNote } from "@/components/resource/problem-note";
import { ShowMore } from "@/components/resource/list/load-more";
import { pageQuery } from "@/components/resource/list/page-query";
import { request } from "@/components/resource/request";
import { useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Segmented } from "@/components/ui/forms/segmented";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { toast } from "@/components/ui/overlays/toast";
import { Skeleton } from "@/components/ui/skeleton";
import { Headers, Table, Td } from "@/components/ui/table";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { Revocations } from "@/components/views/identity/issuer-revocations";
import { TokenTest } from "@/components/views/identity/issuer-token-test";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { clientLabel, clientParts } from "@/lib/contracts/people/client-label";
import type { ConnectionQuery, ConnectionRow } from "@/lib/contracts/people/connection";
import { can } from "@/lib/resources/permissions";

const OF = [
  { value: "me", label: "Mine" },
  { value: "everyone", label: "Everyone’s" },
] as const;

type Tab = "connections" | "test" | "revocations";

/** Connections, and for people who may read those of others: a test of their tokens, and revoked ones. */
export function ConnectionList() {
  const { role } = useWho();
  const [tab, setTab] = useState<Tab>("connections");
  const heading = <h1 className="sr-only">Client connections</h1>;
  if (!can(role, "people:read"))
    return (
      <>
        {heading}
        <Connections />
      </>
    );
  return (
    <>
      {heading}
      <Tabs<Tab>
        aria-label="Connections and their tokens"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: "connections", label: "Connections" },
          { value: "test", label: "Test a token" },
          { value: "revocations", label: "Revoked tokens" },
        ]}
        className="min-h-full flex-1 pt-2 *:[[role=tablist]]:px-5"
      >
        <TabPanel value="connections" className="pt-0">
          <Connections />
        </TabPanel>
        <TabPanel value="test" className="p-5">
          <TokenTest address="/api/admin/connections/test" issuer={null} />
        </TabPanel>
        <TabPanel value="revocations" className="p-5">
          <Revocations address="/api/admin/connections/revocations" />
        </TabPanel>
      </Tabs>
    </>
  );
}

/** The clients that act for a person, or for everybody, each with a button that ends it. */
function Connections() {
  const { role } = useWho();
  const [of, setOf] = useState<ConnectionQuery["of"]>("me");
  const [ending, setEnding] = useState<ConnectionRow | null>(null);
  const list = useInfiniteQuery({
    ...pageQuery<ConnectionRow>(["connections", of], "/api/admin/connections", { of }),
    staleTime: 0,
  });
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  const mayEnd = of === "me" || can(role, "people:write");
  return (
    <div className="flex min-h-full flex-1 flex-col gap-4 p-5">
      {can(role, "people:read") && <Segmented label="Whose connections" value={of} onChange={setOf} options={OF} />}
      {list.isLoadingError && <ProblemNote error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton className="h-24 w-full" />}
      {list.data !== undefined && rows.length === 0 && (
        <EmptyState title="No client is connected" icon={<Unplug />}>
          Add <code className="font-mono text-xs text-ink">{window.location.origin}/mcp</code> to an MCP client. The
          client then sends you here to sign in. If it must register first, an admin switches on{" "}
          <TextLink href="/admin/settings">Let clients register themselves</TextLink>.
        </EmptyState>
      )}
      {rows.length > 0 && <Rows rows={rows} everyone={of === "everyone"} onEnd={mayEnd ? setEnding : null} />}
      <ShowMore pages={list} />
      {ending !== null && <End connection={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}

interface RowsProps {
  rows: readonly ConnectionRow[];
  everyone: boolean;
  onEnd: ((row: ConnectionRow) => void) | null;
}

function Rows({ rows, everyone, onEnd }: RowsProps) {
  return (
    <Table label="Connections" stacks>
      <Headers
        of={[
          "Client",
          everyone && "Person",
          "Agent",
          "Scopes",
          "Connected",
          "Last token issued",
          onEnd !== null && { hidden: "Actions" },
        ]}
      />
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <Td data-label="Client" className="w-full max-w-0 min-w-48 max-sm:max-w-none" title={row.client}>
              <ClientCell row={row} />
            </Td>
            {everyone && (
              <Td data-label="Person" className="whitespace-nowrap">
                {row.person ?? "deleted"}
              </Td>
            )}
            <Td data-label="Agent" className="min-w-44 break-words">
              <TextLink href={`/admin/agents/${encodeURIComponent(row.agent)}`}>{row.agent}</TextLink>
            </Td>
            <Td data-label="Scopes" className="min-w-56 break-words text-muted">
              {row.scopes.join(", ")}
            </Td>
            <Td data-label="Connected" data-short className="whitespace-nowrap text-muted">
              <Time at={row.createdAt} />
            </Td>
            <Td data-label="Last token issued" data-short className="whitespace-nowrap text-muted">
              {row.lastUsedAt === null ? "none" : <Time at={row.lastUsedAt} />}
            </Td>
            {onEnd !== null && (
              <Td className="whitespace-nowrap">
                <PreviewConnection row={row} />{" "}
                <Button size="sm" onClick={() => onEnd(row)} aria-label={`End ${clientLabel(row)}`}>
                  End connection
                </Button>
              </Td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The client's own name, and whole below it the host that vouches for the name: a long name must not hide it. */
function ClientCell({ row }: { row: ConnectionRow }) {
  const { name, from } = clientParts(row);
  return (
    <>
      <span className="block truncate">{name}</span>
      {from !== null && <span className="block text-xs break-words text-muted">{from}</span>}
    </>
  );
}

/** Opens the preview with the claims of the connection's tokens. */
function PreviewConnection({ row }: { row: ConnectionRow }) {
  const go = useGo();
  const preview = () => go(`/admin/preview?in=${storeInTab("claims", null, JSON.stringify(row.claims, null, 2))}`);
  return (
    <Button size="sm" onClick={preview} aria-label={`Preview ${clientLabel(row)}`}>
      Preview
    </Button>
  );
}

function End({ connection, onClose }: { connection: ConnectionRow; onClose: () => void }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => request<undefined>(`/api/admin/connections/${connection.id}`, { method: "DELETE" }),
    onSuccess: async () => {
      toast({ title: `${clientLabel(connection)} is disconnected` });
      onClose();
      await client.invalidateQueries({ queryKey: ["connections"] });
    },
  });
  return (
    <ActionDialog
      title="End this connection?"
      description={`${clientLabel(connection)} can no longer act as ${connection.agent}. Every token of the connection stops working.`}
      action="End connection"
      tone="danger"
      pending={end.isPending}
      error={end.error?.message}
      onAct={() => end.mutate()}
      onClose={onClose}
    />
  );
}
