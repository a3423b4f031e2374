import { FileDown } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { ImportPlan } from "@/components/views/sources/import-plan";
import { ImportStart } from "@/components/views/sources/import-start";

/** Imports operations of an OpenAPI document: read it, review the plan, select, apply. */
export function ImportButton() {
  const [open, setOpen] = useState(false);
  const [job, setJob] = useState<string | null>(null);
  const change = (next: boolean) => {
    setOpen(next);
    if (!next) setJob(null);
  };
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <FileDown aria-hidden /> Import OpenAPI
      </Button>
      <Dialog
        open={open}
        onOpenChange={change}
        size="lg"
        title="Import an OpenAPI document"
        description="Reads the document first. Nothing is imported until you select operations."
      >
        {/* Hidden instead of removed: the typed text is still there after the plan or an error. */}
        <div hidden={job !== null}>
          <ImportStart onStarted={setJob} />
        </div>
        {job !== null && (
          <ImportPlan id={job} noun="operation" onBack={() => setJob(null)} onDone={() => change(false)} />
        )}
      </Dialog>
    </>
  );
}
