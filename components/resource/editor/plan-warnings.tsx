import { placeInWords } from "@/components/resource/editor/changes";
import { problemInWords } from "@/components/executions/reason-words";
import { ProblemList } from "@/components/resource/editor/problem-list";
import { WithCode } from "@/components/ui/json/with-code";
import { readAssertionWarning, type FailingAssertion } from "@/lib/contracts/changes/assertion-warning";
import type { Warning } from "@/lib/contracts/changes/row-plan";

interface PlanWarningsProps {
  warnings: readonly Warning[];
  /** The heading of warnings that are not about assertions. */
  title: string;
  /** Whether the reader wrote the document that the paths are in. Otherwise a warning begins with its row and field. */
  inDocument?: boolean;
}

/** The warnings of a save: assertions that would fail, in red and by name (several fold away how), then all others, each once. */
export function PlanWarnings({ warnings, title, inDocument = false }: PlanWarningsProps) {
  const judged = warnings.map((warning) => ({ warning, red: readAssertionWarning(warning) }));
  const red = judged.flatMap((one) => (one.red === null ? [] : [one.red]));
  const others = judged.flatMap((one) => (one.red === null ? [one.warning] : []));
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {red.length > 0 && <FailingAssertions red={red} />}
      <ProblemList title={title} tone="warn" problems={inDocument ? others : inSentences(others)} />
    </div>
  );
}

/** Each warning once, with its row and the part of its form: `small-refunds, Condition 2: …`. */
function inSentences(warnings: readonly Warning[]): readonly Warning[] {
  const sentences = warnings.map(({ path, message }) => {
    const [, row = "", field = ""] = /^[^[]*\[([^\]]*)\]\.?(.*)$/s.exec(path) ?? [];
    const place = [row, placeInWords(field)]
      .filter((part) => part !== "" && !message.includes(`\`${part}\``))
      .join(", ");
    return place === "" ? message : `${place}: ${message}`;
  });
  return [...new Set(sentences)].map((message) => ({ path: "", message }));
}

/** Most assertions shown; the rest is counted. */
const MAX_SHOWN = 10;

function FailingAssertions({ red }: { red: readonly FailingAssertion[] }) {
  return (
    <div role="alert" className="rounded-lg bg-deny-soft px-3 py-2 text-sm text-deny">
      <p className="font-medium">
        {red.length === 1 ? "An assertion would fail:" : `${red.length} assertions would fail:`}
      </p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {red.slice(0, MAX_SHOWN).map(({ name, problems }) => (
          <li key={name}>
            <details open={red.length === 1}>
              <summary className="w-fit cursor-pointer rounded font-medium break-words text-ink">{name}</summary>
              <ul className="list-disc pl-8">
                {problems.map((problem) => (
                  <li key={problem} className="break-words">
                    <WithCode text={problemInWords(problem)} />
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
        {red.length > MAX_SHOWN && <li>and {(red.length - MAX_SHOWN).toLocaleString("en")} more</li>}
      </ul>
      <p className="mt-2 text-xs text-muted">
        Assertions are tests of the rules, under Advanced › Assertions. They do not block the save.
      </p>
    </div>
  );
}
