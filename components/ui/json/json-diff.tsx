import { useMemo, useState, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { folded, linePairs, wordParts, type LinePair } from "@/components/ui/json/json-lines";
import { Switch } from "@/components/ui/forms/switch";
import { VisibleText } from "@/components/ui/visible-text";
import { hiddenCharacters } from "@/lib/access/model/hidden-characters";

/** Stacks the columns on narrow screens, without a table layout. */
const STACKED = "@max-lg:block";
const HEAD =
  "w-1/2 @max-lg:block @max-lg:w-auto border-b border-line px-2 py-1.5 text-left font-sans text-xs font-medium text-muted";

interface Value {
  readonly title: ReactNode;
  /** `undefined` = no value on this side. */
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
  const [showsAll, setShowsAll] = useState(false);
  const pairs = useMemo(() => linePairs(before.value, after.value), [before.value, after.value]);
  const foldedRows = useMemo(() => folded(pairs), [pairs]);
  const hasFolds = foldedRows.some((row) => typeof row === "number");
  return (
    <div className="@container flex flex-col gap-2">
      {hasFolds && (
        <Switch checked={showsAll} onChange={setShowsAll} label="Show unchanged lines" className="self-end" />
      )}
      <div className="overflow-x-auto rounded-md border border-line" tabIndex={0} role="region" aria-label="Lines">
        <table aria-label={label} className={cn("w-full table-fixed font-mono text-xs leading-5", STACKED)}>
          <thead className={STACKED}>
            <tr className={STACKED}>
              <th scope="col" className={HEAD}>
                <StackedSign of="removed" />
                {before.title}
              </th>
              <th scope="col" className={cn(HEAD, "@lg:border-l")}>
                <StackedSign of="added" />
                {after.title}
              </th>
            </tr>
          </thead>
          <tbody className={STACKED}>
            {(showsAll ? pairs : foldedRows).map((row, at) =>
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
  const isReplaced = !same && before !== null && after !== null;
  return (
    <tr className={cn("align-top", STACKED)}>
      <Side line={before} tone={same ? "same" : "removed"} other={isReplaced ? after.text : null} />
      <Side line={after} tone={same ? "same" : "added"} other={isReplaced ? before.text : null} />
    </tr>
  );
}

interface SideProps {
  line: LinePair["before"];
  tone: "same" | "removed" | "added";
  /** The other side's text of a changed line; `null` = unchanged, or a line without another side. */
  other: string | null;
}

const TONES = { same: "", removed: "bg-deny-soft", added: "bg-allow-soft" } as const;
const SIGNS = { same: " ", removed: "−", added: "+" } as const;
const SCREEN_READER_WORDS = { same: "", removed: "removed: ", added: "added: " } as const;

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

/** The sign of a side's changed lines. Narrow screens need it, because they stack both titles above one column. */
function StackedSign({ of }: { of: "removed" | "added" }) {
  return (
    <span aria-hidden className="inline-block w-4 font-mono text-faint @lg:hidden">
      {SIGNS[of]}
    </span>
  );
}

/** Highlights the words that differ, or the hidden characters of a line that has some: finding them needs the whole line. */
function LineText({ text, tone, other }: { text: string } & Pick<SideProps, "tone" | "other">) {
  if (other === null || hiddenCharacters(text).length > 0) return <VisibleText text={text} />;
  const [before, after] = tone === "removed" ? [text, other] : [other, text];
  return wordParts(before, after)
    .filter(({ added, removed }) => (tone === "removed" ? !added : !removed))
    .map(({ value, added, removed }, at) =>
      added || removed ? (
        <strong
          key={`${at} ${value}`}
          className={cn("rounded-sm font-semibold", tone === "removed" ? "text-deny" : "text-allow")}
        >
          {value}
        </strong>
      ) : (
        value
      ),
    );
}
