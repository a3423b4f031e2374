import { OctagonPause } from "lucide-react";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";

const PauseDialog = lazyPart(async () => (await import("@/components/pause/pause-dialog")).PauseDialog);

interface PauseButtonProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The stop-all switch, reachable from every page. */
export function PauseButton({ open, onOpenChange }: PauseButtonProps) {
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Pause calls"
        title="Pause calls"
        className="lg:w-auto lg:px-2"
        onClick={() => onOpenChange(true)}
      >
        <OctagonPause aria-hidden />
        <span className="max-lg:hidden">Pause calls</span>
      </Button>
      {open && <PauseDialog onClose={() => onOpenChange(false)} />}
    </>
  );
}
