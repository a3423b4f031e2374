"use client";

import { useQuery } from "@tanstack/react-query";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { saveClaims } from "@/components/preview/use-draft";
import { ProblemList } from "@/components/resource/problem-list";
import { ProblemNote } from "@/components/resource/problem-note";
import { request } from "@/components/resource/request";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { Row } from "@/lib/resources";
import type { AssertionRunOutput } from "@/lib/resources/assertion-run";

/** All assertions on the configuration in force; every badge shares one run. */
function useRun() {
  return useQuery({
    queryKey: ["assertions", "run"],
    queryFn: ({ signal }) =>
      request<AssertionRunOutput>("/api/admin/assertions/run", { method: "POST", body: {}, signal }),
    staleTime: 0,
  });
}

/** Whether an assertion holds; in a list also why not. */
export function AssertionBadge({ name, why = false }: { name: string; why?: boolean }) {
  const result = useRun().data?.results.find((one) => one.name === name);
  if (result === undefined) return null;
  const { passed, problems } = result;
  return (
    <span className="flex min-w-0 items-center gap-2" title={problems.join("\n").replaceAll("`", "")}>
      <Badge tone={passed ? "allow" : "deny"}>{passed ? "holds" : "red"}</Badge>
      {why && !passed && <span className="min-w-0 truncate text-muted">{problems[0]?.replaceAll("`", "")}</span>}
    </span>
  );
}

/** How an assertion went, why it is red, and the same caller in the preview. */
export function AssertionResult({ row }: { row: Row<"assertions"> }) {
  const run = useRun();
  const router = useRouter();
  const open = () =>
    void previewOf(row.given).then(
      (address) => router.push(address as Route),
      (error: Error) => toast({ title: "The preview was not opened", description: error.message, tone: "failed" }),
    );
  if (run.isError) return <ProblemNote error={run.error} onRetry={() => void run.refetch()} />;
  if (run.isPending) return <Skeleton className="h-24" />;
  const problems = run.data.results.find(({ name }) => name === row.name)?.problems ?? [];
  return (
    <div className="flex max-w-3xl flex-col items-start gap-4">
      {problems.length === 0 ? (
        <p className="text-sm text-muted">It holds at revision {run.data.revision}.</p>
      ) : (
        <ProblemList
          title={`It does not hold at revision ${run.data.revision}:`}
          tone="deny"
          problems={problems.map((message) => ({ path: "", message }))}
        />
      )}
      <Button onClick={open}>Open this caller in the preview</Button>
    </div>
  );
}

/** The preview's address for an assertion's caller. Claims stay in this tab, as everywhere. */
async function previewOf({ claims, ...given }: Row<"assertions">["given"]): Promise<string> {
  const query = new URLSearchParams();
  const state = (key: string, value: string | number | null) => {
    if (value !== null) query.set(key, String(value));
  };
  let { capabilities } = given;
  if (given.persona !== null && Object.keys(claims).length === 0) query.set("persona", given.persona);
  else {
    query.set("in", saveClaims(null, JSON.stringify(claims, null, 2)));
    // The preview takes claims or a persona: of the persona, its capabilities are left to state.
    if (given.persona !== null) capabilities ??= await capabilitiesOf(given.persona);
  }
  if (given.group !== null) query.set("request", "chosen");
  state("group", given.group === null ? null : given.group.join(","));
  state("machine", given.machine);
  state("state", given.state);
  state("profile", given.profile);
  state("capabilities", capabilities === null ? null : capabilities.join(","));
  state("intent", given.intent);
  state("confidence", given.confidence);
  return `/admin/preview?${query}`;
}

async function capabilitiesOf(persona: string): Promise<string[]> {
  const row = await request<Row<"personas">>(`/api/admin/personas/${encodeURIComponent(persona)}`);
  return row.capabilities;
}
