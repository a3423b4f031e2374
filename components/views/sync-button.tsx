"use client";

import { useMutation } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { request } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { ImportPlan } from "@/components/views/import-plan";

/** Reads a source's document again from its stored address: an import without the questions. */
export function SyncButton({ source }: { source: string }) {
  const start = useMutation({
    mutationFn: () => request<{ id: string }>("/api/admin/imports", { method: "POST", body: { source } }),
    onError: (error) => toast({ title: "The document could not be read", description: error.message, tone: "failed" }),
  });
  const close = () => start.reset();
  return (
    <>
      <Button size="sm" pending={start.isPending} onClick={() => start.mutate()}>
        <RefreshCw aria-hidden /> Synchronise
      </Button>
      {start.data !== undefined && (
        <Dialog
          open
          onOpenChange={close}
          size="lg"
          title={`Synchronise ${source}`}
          description="What the document says now, beside the catalogue."
        >
          <ImportPlan id={start.data.id} onBack={close} onDone={close} />
        </Dialog>
      )}
    </>
  );
}
