import { toastFailure } from "@/components/resource/review/toast-failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { useGo } from "@/components/resource/go";
import { useGet } from "@/components/resource/use-get";
import { request } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { counted } from "@/components/ui/counted";
import { toast } from "@/components/ui/overlays/toast";
import type { Page } from "@/lib/contracts/changes/list";
import type { DriftItem } from "@/lib/contracts/sources/drift";
import type { ImportJob } from "@/lib/contracts/sources/import-job";

/** Reads a source again from its stored address; what differs waits in the drift review. */
export function SyncButton({ source }: { source: string }) {
  const start = useMutation({
    mutationFn: () => request<{ id: string }>(`/api/admin/sources/${source}/sync`, { method: "POST" }),
    onError: (error) => toastFailure(`${source} was not synced`, error),
  });
  const id = start.data?.id ?? null;
  return (
    <>
      <Button size="sm" pending={start.isPending || id !== null} onClick={() => start.mutate()}>
        <RefreshCw aria-hidden /> Sync now
      </Button>
      {id !== null && <Following id={id} source={source} onDone={() => start.reset()} />}
    </>
  );
}

/** Waits until a sync is over and says how it went. */
function Following({ id, source, onDone }: { id: string; source: string; onDone: () => void }) {
  const client = useQueryClient();
  const go = useGo();
  const job = useGet<ImportJob>(["imports", id], `/api/admin/imports/${id}`, {
    refetchInterval: 300,
  });
  const over = job.isError || job.data?.status === "applied" || job.data?.status === "failed";
  const finish = useEffectEvent(async () => {
    if (job.data?.status === "applied")
      await tellWaiting(source, job.data, go).catch(() => toast({ title: `Synced ${source}` }));
    else toastFailure(`${source} was not synced`, job.error ?? job.data?.error ?? "");
    onDone();
    void client.invalidateQueries();
  });
  useEffect(() => {
    if (over) void finish();
  }, [over]);
  return null;
}

/** Says what joined and what waits for review. Tools that an import left out are in the plan, but do neither. */
async function tellWaiting(source: string, { applied }: ImportJob, open: (href: string) => void): Promise<void> {
  const search = new URLSearchParams({ source });
  const { total } = await request<Page<DriftItem>>(`/api/admin/drift?${search}&decision=pending&limit=1`);
  const joined = applied === null || applied.added === 0 ? "" : `${counted(applied.added, "tool")} joined. `;
  const waiting = total === 0 ? "No differences wait" : total === 1 ? "1 tool waits" : `${counted(total, "tool")} wait`;
  const hidden = total > 0 && applied !== null && applied.changed > 0;
  toast({
    title: `Synced ${source}`,
    description: `${joined}${waiting} for review.${hidden ? " Agents do not see changed tools until then." : ""}`,
    next: total === 0 ? undefined : { label: "Review", open: () => open(`/admin/drift?${search}`) },
  });
}
