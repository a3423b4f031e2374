import { GuessItems } from "@/components/flow/guess-words";
import { bind } from "@/components/resource/editor/bind";
import type { Draft } from "@/components/resource/editor/draft";
import type { useTypedNames } from "@/components/resource/use-names";
import { Button } from "@/components/ui/button";
import { answeredFlow, answeredGuess, type FlowFacts } from "@/lib/access/model/flow";
import type { Input } from "@/lib/resources";

interface GuessedFlowProps {
  draft: Draft<Input<"tools">>;
  labels: Labels;
}

type Labels = Pick<ReturnType<typeof useTypedNames>, "picker" | "isWhole">;

/**
 * The tool's flow and guess after "Confirm guess". Until the list of labels is whole, every guessed label counts as known:
 * confirming must not drop one silently.
 */
export function confirmedFlow(tool: FlowFacts, { picker: { options }, isWhole }: Labels) {
  const known = isWhole ? options.map(({ value }) => value) : (tool.flowGuess ?? []).map(({ word }) => word);
  return answeredFlow(
    tool,
    null,
    known.map((name) => ({ name })),
  );
}

/** What an import guessed about the tool, with both answers. They change the draft, which a person then saves. */
export function GuessedFlow({ draft, labels }: GuessedFlowProps) {
  const [flow, guess] = [bind(draft, "flow"), bind(draft, "flowGuess")];
  if (guess.value === null || guess.value.length === 0) return null;
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
              const answered = confirmedFlow(draft.value, labels);
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
