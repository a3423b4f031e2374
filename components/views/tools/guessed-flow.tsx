import { GuessItems } from "@/components/flow/guess-words";
import { bind } from "@/components/resource/editor/bind";
import type { Draft } from "@/components/resource/editor/draft";
import { Button } from "@/components/ui/button";
import { answeredFlow, answeredGuess } from "@/lib/access/model/flow";
import type { Input } from "@/lib/resources";

interface GuessedFlowProps {
  draft: Draft<Input<"tools">>;
  /** The names of all labels. */
  labels: readonly string[];
}

/** What an import guessed about the tool, with both answers. They change the draft, which a person then saves. */
export function GuessedFlow({ draft, labels }: GuessedFlowProps) {
  const [flow, guess] = [bind(draft, "flow"), bind(draft, "flowGuess")];
  if (guess.value === null || guess.value.length === 0) return null;
  // Until the labels are loaded, every guessed one counts as known: confirming must not drop one silently.
  const known =
    labels.length === 0 ? guess.value.map(({ word }) => ({ name: word })) : labels.map((name) => ({ name }));
  return (
    <div role="group" aria-label="Guessed flow" className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <GuessItems guesses={guess.value} />
      <p className="text-xs text-muted">Flow rules apply to the guess until somebody confirms or replaces it.</p>
      {!guess.readOnly && (
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            variant="primary"
            onClick={() => {
              const answered = answeredFlow(draft.value, null, known);
              flow.onChange(answered.flow);
              guess.onChange(answered.flowGuess);
            }}
          >
            Confirm guess
          </Button>
          <Button size="sm" onClick={() => guess.onChange(answeredGuess(flow.value))}>
            Discard guess
          </Button>
        </div>
      )}
    </div>
  );
}
