"use client";

import { Download } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ExportDialogProps } from "@/components/resource/export-dialog";
import { Button } from "@/components/ui/button";

const Dialog = lazy(async () => ({ default: (await import("@/components/resource/export-dialog")).ExportDialog }));

/** A list as a file. */
export function ExportButton(props: Omit<ExportDialogProps, "onClose">) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" size="icon" aria-label="Export" title="Export" onClick={() => setOpen(true)}>
        <Download aria-hidden />
      </Button>
      {open && (
        <Suspense>
          <Dialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
