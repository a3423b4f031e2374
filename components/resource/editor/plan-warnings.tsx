import { ProblemList } from "@/components/resource/editor/problem-list";
import { WithCode } from "@/components/ui/with-code";
import type { Warning } from "@/lib/contracts/changes/row-plan";

interface PlanWarningsProps {
  warnings: readonly Warning[];
  /** What the others are called that are no assertions. */
  title: string;
}

/** What a save would leave suspicious: assertions that would not hold, in red and by name, then all else. */
export function PlanWarnings({ warnings, title }: PlanWarningsProps) {
  const judged = warnings.map((warning) => ({ warning, red: toRed(warning) }));
  const red = judged.flatMap((one) => (one.red === null ? [] : [one.red]));
  const others = judged.flatMap((one) => (one.red === null ? [one.warning] : []));
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {red.length > 0 && <RedAssertions red={red} />}
      <ProblemList title={title} tone="warn" problems={others} />
    </div>
  );
}

/** An assertion that would not hold: what it expected and what would be. */
interface Red {
  readonly name: string;
  readonly problems: readonly string[];
}

/** As a plan writes it: `assertions[its name]`, `would not hold: one; another`. */
function toRed({ path, message }: Warning): Red | null {
  const name = /^assertions\[(.*)\]$/s.exec(path)?.[1];
  const said = /^(?:would|does) not hold: (.*)$/s.exec(message)?.[1];
  return name === undefined || said === undefined ? null : { name, problems: said.split("; ") };
}

/** How many problems of one assertion are told; the rest is counted. */
const MOST_TOLD = 4;

function RedAssertions({ red }: { red: readonly Red[] }) {
  return (
    <div role="alert" className="rounded-lg bg-deny-soft px-3 py-2 text-sm text-deny">
      <p className="font-medium">
        {red.length === 1 ? "An assertion would not hold:" : `${red.length} assertions would not hold:`}
      </p>
      <ul className="mt-1 flex flex-col gap-1.5">
        {red.map(({ name, problems }) => (
          <li key={name}>
            <p className="font-medium text-ink">{name}</p>
            <ul className="list-disc pl-5">
              {problems.slice(0, MOST_TOLD).map((problem) => (
                <li key={problem} className="break-words">
                  <WithCode text={problem} />
                </li>
              ))}
              {problems.length > MOST_TOLD && <li>and {problems.length - MOST_TOLD} more</li>}
            </ul>
          </li>
        ))}
      </ul>
    </div>
  );
}
