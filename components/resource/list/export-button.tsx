import { Download } from "lucide-react";
import { useState } from "react";
import type { ExportDialogProps } from "@/components/resource/list/export-dialog";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";

const Dialog = lazyPart(async () => (await import("@/components/resource/list/export-dialog")).ExportDialog);

interface ExportButtonProps extends Omit<ExportDialogProps, "onClose"> {
  /** The label, if the button is not the one of a toolbar. */
  label?: string;
}

/** Opens the dialog that exports a list. */
export function ExportButton({ label, ...props }: ExportButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {label === undefined ? (
        <Button variant="ghost" className="px-2 max-sm:min-w-10" title="Export" onClick={() => setOpen(true)}>
          <Download aria-hidden /> <span className="max-xl:sr-only">Export</span>
        </Button>
      ) : (
        <Button size="sm" onClick={() => setOpen(true)}>
          <Download aria-hidden /> {label}
        </Button>
      )}
      {open && <Dialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
