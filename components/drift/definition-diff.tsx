"use client";

import { diffWordsWithSpace } from "diff";
import { useMemo, useState } from "react";
import { folded, linePairs, type LinePair } from "@/components/drift/definition-lines";
import { VisibleText } from "@/components/drift/visible-text";
import { cn } from "@/components/ui/cn";
import { Switch } from "@/components/ui/switch";
import type { DriftDetail } from "@/lib/resources/drift";
import { hiddenCharacters } from "@/lib/resources/hidden-characters";

const HEAD = "w-1/2 border-b border-line px-2 py-1.5 text-left font-sans text-xs font-medium text-muted";

/** The approved definition and the new one, line by line; nothing in them hides. */
export function DefinitionDiff({ drift }: { drift: DriftDetail }) {
  const { pinned, proposed } = drift;
  const [whole, setWhole] = useState(false);
  const pairs = useMemo(() => linePairs(pinned?.definition ?? null, proposed?.definition ?? null), [pinned, proposed]);
  const changed = pinned !== null && proposed !== null;
  const rows = changed && !whole ? folded(pairs) : pairs;
  return (
    <section aria-label="Definition" className="flex flex-col gap-2">
      {changed && <Switch checked={whole} onChange={setWhole} label="Show unchanged lines" className="self-end" />}
      <div className="overflow-x-auto rounded-md border border-line" tabIndex={0} role="region" aria-label="Lines">
        <table aria-label={`Definitions of ${drift.id}`} className="w-full table-fixed font-mono text-2xs leading-5">
          <thead>
            <tr>
              <th scope="col" className={HEAD}>
                Approved <Pin side={pinned} />
              </th>
              <th scope="col" className={cn(HEAD, "border-l")}>
                From the source <Pin side={proposed} />
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) =>
              typeof row === "number" ? (
                <tr key={`fold ${at}`}>
                  <td colSpan={2} className="bg-hover px-2 py-0.5 text-center font-sans text-xs text-muted">
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
    </section>
  );
}

function Pin({ side }: { side: DriftDetail["pinned"] }) {
  if (side === null) return <span className="text-faint">none</span>;
  return (
    <span title={`SHA-256 ${side.hash}`} className="font-mono text-2xs text-faint">
      {side.hash.slice(0, 12)}
    </span>
  );
}

function Line({ pair: { before, after, same } }: { pair: LinePair }) {
  const both = !same && before !== null && after !== null;
  return (
    <tr className="align-top">
      <Side line={before} tone={same ? "same" : "gone"} other={both ? after.text : null} />
      <Side line={after} tone={same ? "same" : "come"} other={both ? before.text : null} />
    </tr>
  );
}

interface SideProps {
  line: LinePair["before"];
  tone: "same" | "gone" | "come";
  /** The line that it stands beside, when both changed. */
  other: string | null;
}

const TONES = { same: "", gone: "bg-deny-soft", come: "bg-allow-soft" } as const;
const SIGNS = { same: " ", gone: "−", come: "+" } as const;
const SPOKEN = { same: "", gone: "removed: ", come: "added: " } as const;

function Side({ line, tone, other }: SideProps) {
  const border = tone === "come" ? "border-l border-line" : "not-first:border-l not-first:border-line";
  if (line === null)
    return (
      <td className={cn("bg-hover", border)}>
        <span className="sr-only">nothing</span>
      </td>
    );
  return (
    <td className={cn("px-2 break-words whitespace-pre-wrap", TONES[tone], border)}>
      <span aria-hidden className="inline-block w-4 text-faint select-none">
        {SIGNS[tone]}
      </span>
      {tone !== "same" && <span className="sr-only">{SPOKEN[tone]}</span>}
      <LineText text={line.text} tone={tone} other={other} />
    </td>
  );
}

/** The words that differ stand out. Where something hides, that stands out instead: it needs the whole line. */
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
