import { useMutation } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { request } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { toast } from "@/components/ui/overlays/toast";
import { ImportPlan } from "@/components/views/sources/import-plan";

/** Reads the tools of a source's MCP server, so that a person selects some. */
export function ImportToolsButton({ source }: { source: string }) {
  const start = useMutation({
    mutationFn: () => request<{ id: string }>("/api/admin/imports", { method: "POST", body: { source } }),
    onError: (error) => toast({ title: "Could not read the server", description: error.message, tone: "failed" }),
  });
  const close = () => start.reset();
  return (
    <>
      <Button size="sm" pending={start.isPending} onClick={() => start.mutate()}>
        <FileDown aria-hidden /> Import tools
      </Button>
      {start.data !== undefined && (
        <Dialog
          open
          onOpenChange={close}
          size="lg"
          title={`Import tools of ${source}`}
          description="Compares the tools of the server with the catalogue. Nothing changes until you select tools."
        >
          <ImportPlan
            id={start.data.id}
            noun="tool"
            onBack={close}
            backLabel="Close"
            onRetry={() => start.mutate()}
            onDone={close}
          />
        </Dialog>
      )}
    </>
  );
}
