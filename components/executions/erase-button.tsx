import { Eraser } from "lucide-react";
import { useState } from "react";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { ErasureInput } from "@/lib/contracts/log/erasure";

const Dialog = lazyPart(async () => (await import("@/components/executions/erase-dialog")).EraseDialog);

/** Opens the erasure of a caller's bodies, if the role may. */
export function EraseButton({ erasure, label }: { erasure: ErasureInput; label: string }) {
  const may = useCan("retention:write");
  const [open, setOpen] = useState(false);
  if (!may) return null;
  return (
    <>
      <Button size="sm" variant="ghost" className="max-w-full" onClick={() => setOpen(true)}>
        <Eraser aria-hidden /> <span className="truncate">{label}</span>
      </Button>
      {open && <Dialog erasure={erasure} onClose={() => setOpen(false)} />}
    </>
  );
}
