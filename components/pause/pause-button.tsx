import { OctagonPause } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";

const PauseDialog = lazyPart(async () => (await import("@/components/pause/pause-dialog")).PauseDialog);

/** The stop-all switch, reachable from every page. */
export function PauseButton() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Pause calls"
        title="Pause calls"
        className="lg:w-auto lg:px-2"
        onClick={() => setAsking(true)}
      >
        <OctagonPause aria-hidden />
        <span className="max-lg:hidden">Pause calls</span>
      </Button>
      {asking && <PauseDialog onClose={() => setAsking(false)} />}
    </>
  );
}
