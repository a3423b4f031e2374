import { toastFailure } from "@/components/resource/review/toast-failure";
import { useMutation } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { hasUnsavedChanges } from "@/components/resource/go";
import { request } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { toast } from "@/components/ui/overlays/toast";
import type { ImportNoun } from "@/components/views/sources/import-operations";
import { ImportPlan } from "@/components/views/sources/import-plan";

interface ImportToolsButtonProps {
  source: string;
  noun: ImportNoun;
}

/** Reads the stored address of a source again, so that a person selects some of its tools or operations. */
export function ImportToolsButton({ source, noun }: ImportToolsButtonProps) {
  const start = useMutation({
    mutationFn: () => request<{ id: string }>("/api/admin/imports", { method: "POST", body: { source } }),
    onError: (error) => toastFailure(`Could not read ${source}`, error),
  });
  const close = () => start.reset();
  const begin = () => {
    if (!hasUnsavedChanges()) start.mutate();
    else
      toast({
        title: "Save or discard your changes first",
        description: "An import reads the source with its saved settings.",
        tone: "warned",
      });
  };
  return (
    <>
      <Button size="sm" pending={start.isPending} onClick={begin}>
        <FileDown aria-hidden /> Import {noun}s
      </Button>
      {start.data !== undefined && (
        <Dialog
          open
          onOpenChange={close}
          size="lg"
          title={`Import ${noun}s of ${source}`}
          description={`Compares the ${noun}s of the source with the catalogue. Nothing changes until you select ${noun}s.`}
        >
          <ImportPlan
            id={start.data.id}
            noun={noun}
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
