import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { useGet } from "@/components/resource/use-get";
import { request } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/overlays/toast";
import type { ImportJob } from "@/lib/contracts/sources/import-job";

/** Reads a source again from its stored address; what differs waits in the drift review. */
export function SyncButton({ source }: { source: string }) {
  const start = useMutation({
    mutationFn: () => request<{ id: string }>(`/api/admin/sources/${source}/sync`, { method: "POST" }),
    onError: (error) => toast({ title: `${source} was not synced`, description: error.message, tone: "failed" }),
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
  const job = useGet<ImportJob>(["imports", id], `/api/admin/imports/${id}`, {
    refetchInterval: 300,
  });
  const over = job.isError || job.data?.status === "applied" || job.data?.status === "failed";
  const finish = useEffectEvent(() => {
    toast(sentenceOf(source, job.data ?? null));
    onDone();
    void client.invalidateQueries();
  });
  useEffect(() => {
    if (over) finish();
  }, [over]);
  return null;
}

function sentenceOf(source: string, job: ImportJob | null): Parameters<typeof toast>[0] {
  if (job === null || job.status === "failed")
    return { title: `${source} was not synced`, description: job?.error ?? undefined, tone: "failed" };
  const { added, changed, removed } = job.plan;
  const found = [
    [changed.length, "changed"],
    [removed.length, "removed upstream"],
    [added.length, "new"],
  ] as const;
  const words = found.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return {
    title: `Synced ${source}`,
    description: words.length === 0 ? "No differences" : `${words.join(", ")}. See the drift review.`,
  };
}
