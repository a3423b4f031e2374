import { Badge } from "@/components/ui/badge";
import type { FlowGuess } from "@/lib/access/model/flow";

/** What each guess says, such as "raises private". */
export function guessText({ kind, word }: FlowGuess): string {
  return kind === "raises" ? `raises ${word}` : word;
}

/** Guesses with what each was guessed from, one per line. */
export function GuessItems({ guesses }: { guesses: readonly FlowGuess[] }) {
  return (
    <ul aria-label="Guesses" className="flex flex-col gap-1">
      {guesses.map((guess) => (
        <li key={`${guess.kind} ${guess.word}`} className="flex flex-wrap items-center gap-x-2 text-sm">
          <Badge tone="outline">{guessText(guess)}</Badge>
          <span className="text-xs text-muted">guessed from {guess.from}</span>
        </li>
      ))}
    </ul>
  );
}

/** Guesses in a row of a list. */
export function GuessBadges({ guesses }: { guesses: readonly FlowGuess[] }) {
  return (
    <span className="flex gap-1">
      {guesses.map((guess) => (
        <Badge key={`${guess.kind} ${guess.word}`} tone="outline">
          {guessText(guess)}
        </Badge>
      ))}
    </span>
  );
}

/** The facts that guesses come from, each once. */
export function guessedFrom(guesses: readonly FlowGuess[]): string {
  return [...new Set(guesses.map(({ from }) => from))].join(" · ");
}
