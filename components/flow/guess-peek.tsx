import { useState } from "react";
import { ReplaceDialog, useAnswerGuesses } from "@/components/flow/guess-answer";
import { GuessItems } from "@/components/flow/guess-words";
import { useKey } from "@/components/keyboard/use-key";
import { Peek } from "@/components/resource/peek";
import { ProblemNote } from "@/components/resource/problem-note";
import { useGet } from "@/components/resource/use-get";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Kbd } from "@/components/ui/kbd";
import { Skeleton } from "@/components/ui/skeleton";
import { WithCode } from "@/components/ui/json/with-code";
import { hasGuess } from "@/lib/access/model/flow";
import type { FlowGuessItem } from "@/lib/contracts/sources/flow-guess";
import type { Row } from "@/lib/resources";

interface GuessPeekProps {
  id: string;
  onClose: () => void;
  onAnswered: () => void;
}

/** One guess in a panel over the list, with both answers. */
export function GuessPeek({ id, onClose, onAnswered }: GuessPeekProps) {
  const path = `tools/${encodeURIComponent(id)}`;
  const tool = useGet<Row<"tools">>(["flow-guesses", "tool", id], `/api/admin/${path}`, { staleTime: 0, retry: false });
  return (
    <Peek id={id} title={id} description="flow guess" href={`/admin/${path}?tab=flow`} onClose={onClose}>
      {tool.isLoadingError ? (
        <ProblemNote error={tool.error} onRetry={() => void tool.refetch()} />
      ) : tool.isPending ? (
        <Skeleton className="h-48" />
      ) : !hasGuess(tool.data) ? (
        <p className="text-sm text-muted">Somebody has already answered this guess.</p>
      ) : (
        <Guess key={id} tool={tool.data} onAnswered={onAnswered} />
      )}
    </Peek>
  );
}

function Guess({ tool, onAnswered }: { tool: FlowGuessItem; onAnswered: () => void }) {
  const answer = useAnswerGuesses(onAnswered);
  const [replacing, setReplacing] = useState(false);
  const mayAnswer = useCan("configuration:write");
  const confirm = () => answer.mutate({ rows: [tool], flow: null });
  useKey("approve", () => mayAnswer && !answer.isPending && !replacing && confirm());
  useKey("refuse", () => mayAnswer && !answer.isPending && setReplacing(true));
  return (
    <div className="flex flex-col gap-4">
      <WithCode as="p" className="text-sm whitespace-pre-line" text={tool.description} />
      <GuessItems guesses={tool.flowGuess ?? []} />
      {mayAnswer ? (
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" aria-keyshortcuts="a" pending={answer.isPending} onClick={confirm}>
            Confirm guess
            <span aria-hidden>
              <Kbd>a</Kbd>
            </span>
          </Button>
          <Button aria-keyshortcuts="x" onClick={() => setReplacing(true)}>
            Replace guess…
            <span aria-hidden>
              <Kbd>x</Kbd>
            </span>
          </Button>
        </div>
      ) : (
        <p className="text-sm text-muted">Only an administrator or an editor can answer.</p>
      )}
      {answer.error !== null && <ErrorNote text={answer.error.message} />}
      <p className="text-xs text-pretty text-muted">
        Flow rules already apply to the guess. Confirm it, or replace it with what the tool really reads and does.
      </p>
      {replacing && <ReplaceDialog rows={[tool]} onClose={() => setReplacing(false)} onAnswered={onAnswered} />}
    </div>
  );
}
