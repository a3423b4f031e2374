import { useState } from "react";
import { useGet } from "@/components/resource/use-get";
import { useCan } from "@/components/resource/who";
import { counted } from "@/components/ui/counted";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { FlowGuessPage } from "@/lib/contracts/sources/flow-guess";

const Dialog = lazyPart(async () => (await import("@/components/resource/bulk/bulk-dialog")).BulkDialog);

const WORDS = ["tool", "tools"] as const;
const GUESS = { label: "Guess flow", change: { kind: "guess_flow" } } as const;
const ROWS = { query: {} };

/** Guesses the flow of imported tools that state none, after showing the effect. Shows nothing where there are none. */
export function GuessMissing() {
  const mayWrite = useCan("configuration:write");
  const [isAsking, setAsking] = useState(false);
  const { data } = useGet<FlowGuessPage>(["flow-guesses", "unguessed"], "/api/admin/flow-guesses?limit=1");
  const unguessed = data?.unguessed ?? 0;
  if (unguessed === 0 || !mayWrite) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>Guess flow of {counted(unguessed, ...WORDS)}…</Button>
      {isAsking && (
        <Dialog
          section="tools"
          words={WORDS}
          action={GUESS}
          rows={ROWS}
          count={unguessed}
          onClose={() => setAsking(false)}
          onDone={() => setAsking(false)}
        />
      )}
    </>
  );
}
