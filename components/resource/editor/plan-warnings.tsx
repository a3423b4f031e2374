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

/** The warnings of a save: first the assertions that would fail, then all others, each once. */
export function PlanWarnings({ warnings, title, inDocument = false }: PlanWarningsProps) {
  const read = warnings.map((warning) => ({ warning, assertion: readAssertionWarning(warning) }));
  const failing = read.flatMap(({ assertion }) => (assertion === null ? [] : [assertion]));
  const others = read.flatMap(({ warning, assertion }) => (assertion === null ? [warning] : []));
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {failing.length > 0 && <FailingAssertions failing={failing} />}
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

function FailingAssertions({ failing }: { failing: readonly FailingAssertion[] }) {
  return (
    <div role="alert" className="rounded-lg bg-deny-soft px-3 py-2 text-sm text-deny">
      <p className="font-medium">
        {failing.length === 1 ? "An assertion would fail:" : `${failing.length} assertions would fail:`}
      </p>
      <ul className="mt-1 flex flex-col gap-0.5">
        {failing.slice(0, MAX_SHOWN).map(({ name, problems }) => (
          <li key={name}>
            <details open={failing.length === 1}>
              <summary className="w-fit cursor-pointer rounded font-medium break-words text-ink">{name}</summary>
              <ul className="list-disc pl-8">
                {problems.map((problem) => (
                  <WithCode as="li" key={problem} className="break-words" text={problemInWords(problem)} />
                ))}
              </ul>
            </details>
          </li>
        ))}
        {failing.length > MAX_SHOWN && <li>and {(failing.length - MAX_SHOWN).toLocaleString("en")} more</li>}
      </ul>
      <p className="mt-2 text-xs text-muted">
        Assertions are tests of the rules, under Advanced › Assertions. They do not block the save.
      </p>
    </div>
  );
}
