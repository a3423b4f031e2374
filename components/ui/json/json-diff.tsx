import { diffWordsWithSpace } from "diff";
import { useMemo, useState, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { folded, linePairs, type LinePair } from "@/components/ui/json/json-lines";
import { Switch } from "@/components/ui/forms/switch";
import { VisibleText } from "@/components/ui/visible-text";
import { hiddenCharacters } from "@/lib/access/model/hidden-characters";

/** Stacks the columns on narrow screens, without a table layout. */
const STACKED = "@max-lg:block";
const HEAD =
  "w-1/2 @max-lg:block @max-lg:w-auto border-b border-line px-2 py-1.5 text-left font-sans text-xs font-medium text-muted";

interface Value {
  readonly title: ReactNode;
  /** `undefined`: there is none. */
  readonly value: unknown;
}

interface JsonDiffProps {
  /** The name of the values, for screen readers. */
  label: string;
  before: Value;
  after: Value;
}

/**
 * Two values side by side, line by line, with unchanged lines folded; stacked on narrow screens. Makes hidden characters
 * visible.
 */
export function JsonDiff({ label, before, after }: JsonDiffProps) {
  const [whole, setWhole] = useState(false);
  const pairs = useMemo(() => linePairs(before.value, after.value), [before.value, after.value]);
  const short = useMemo(() => folded(pairs), [pairs]);
  const folds = short.some((row) => typeof row === "number");
  return (
    <div className="@container flex flex-col gap-2">
      {folds && <Switch checked={whole} onChange={setWhole} label="Show unchanged lines" className="self-end" />}
      <div className="overflow-x-auto rounded-md border border-line" tabIndex={0} role="region" aria-label="Lines">
        <table aria-label={label} className={cn("w-full table-fixed font-mono text-xs leading-5", STACKED)}>
          <thead className={STACKED}>
            <tr className={STACKED}>
              <th scope="col" className={HEAD}>
                <StackedSign of="gone" />
                {before.title}
              </th>
              <th scope="col" className={cn(HEAD, "@lg:border-l")}>
                <StackedSign of="come" />
                {after.title}
              </th>
            </tr>
          </thead>
          <tbody className={STACKED}>
            {(whole ? pairs : short).map((row, at) =>
              typeof row === "number" ? (
                <tr key={`fold ${at}`} className={STACKED}>
                  <td
                    colSpan={2}
                    className={cn("bg-hover px-2 py-0.5 text-center font-sans text-xs text-muted", STACKED)}
                  >
                    {row} unchanged {row === 1 ? "line" : "lines"}
                  </td>
                </tr>
              ) : (
                <Line key={`${row.before?.number} ${row.after?.number}`} pair={row} />
              ),
            )}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Line({ pair: { before, after, same } }: { pair: LinePair }) {
  const both = !same && before !== null && after !== null;
  return (
    <tr className={cn("align-top", STACKED)}>
      <Side line={before} tone={same ? "same" : "gone"} other={both ? after.text : null} />
      <Side line={after} tone={same ? "same" : "come"} other={both ? before.text : null} />
    </tr>
  );
}

interface SideProps {
  line: LinePair["before"];
  tone: "same" | "gone" | "come";
  /** The opposite line, when both changed. */
  other: string | null;
}

const TONES = { same: "", gone: "bg-deny-soft", come: "bg-allow-soft" } as const;
const SIGNS = { same: " ", gone: "−", come: "+" } as const;
const SCREEN_READER_WORDS = { same: "", gone: "removed: ", come: "added: " } as const;

function Side({ line, tone, other }: SideProps) {
  const border = "@lg:not-first:border-l @lg:not-first:border-line";
  if (line === null)
    return (
      <td className={cn("bg-hover @max-lg:hidden", border)}>
        <span className="sr-only">nothing</span>
      </td>
    );
  return (
    <td
      className={cn(
        "px-2 break-words whitespace-pre-wrap",
        STACKED,
        tone === "same" && "@max-lg:not-first:hidden",
        TONES[tone],
        border,
      )}
    >
      <span aria-hidden className="inline-block w-4 text-faint select-none">
        {SIGNS[tone]}
      </span>
      {tone !== "same" && <span className="sr-only">{SCREEN_READER_WORDS[tone]}</span>}
      <LineText text={line.text} tone={tone} other={other} />
    </td>
  );
}

/** The side of a line, for narrow screens where both titles are above one column. */
function StackedSign({ of }: { of: "gone" | "come" }) {
  return (
    <span aria-hidden className="inline-block w-4 font-mono text-faint @lg:hidden">
      {SIGNS[of]}
    </span>
  );
}

/** Highlights the words that differ. In a line with hidden characters it highlights those, which needs the whole line. */
function LineText({ text, tone, other }: { text: string } & Pick<SideProps, "tone" | "other">) {
  if (other === null || hiddenCharacters(text).length > 0) return <VisibleText text={text} />;
  const words = tone === "gone" ? diffWordsWithSpace(text, other) : diffWordsWithSpace(other, text);
  return words
    .filter(({ added, removed }) => (tone === "gone" ? !added : !removed))
    .map(({ value, added, removed }, at) =>
      added || removed ? (
        <strong
          key={`${at} ${value}`}
          className={cn("rounded-sm font-semibold", tone === "gone" ? "text-deny" : "text-allow")}
        >
          {value}
        </strong>
      ) : (
        value
      ),
    );
}
