import { OctagonPause } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";

const PauseDialog = lazy(async () => ({ default: (await import("@/components/pause/pause-dialog")).PauseDialog }));

/** The stop-all switch, reachable from every page. */
export function PauseButton() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="ghost" size="icon" aria-label="Pause calls" title="Pause calls" onClick={() => setAsking(true)}>
        <OctagonPause aria-hidden />
      </Button>
      {asking && (
        <Suspense>
          <PauseDialog onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
