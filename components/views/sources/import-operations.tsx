import { useId, useState, type ReactNode } from "react";
import { guessedFrom } from "@/components/flow/guess-words";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { Table, Td, Th } from "@/components/ui/table";
import { VisibleText } from "@/components/ui/visible-text";
import { hasGuess } from "@/lib/access/model/flow";
import type { ImportEntry } from "@/lib/contracts/sources/import-job";

/** One line of the plan that would change something. */
export interface PlannedChange extends ImportEntry {
  readonly kind: "added" | "changed" | "removed";
}

/** What a source lists. */
export type ImportNoun = "operation" | "tool";

interface ImportOperationsProps {
  noun: ImportNoun;
  changes: readonly PlannedChange[];
  picked: ReadonlySet<string>;
  onPick: (picked: ReadonlySet<string>) => void;
}

const KIND: Record<PlannedChange["kind"], { tone: Tone; word: string }> = {
  added: { tone: "allow", word: "new" },
  changed: { tone: "warn", word: "changed" },
  removed: { tone: "deny", word: "gone" },
};
/** Most rows shown. A document may have a thousand operations. */
const MAX_ROWS = 200;
/** The rest of the plan needs about 32rem: the groups below stay above the dialog's buttons. */
const FRAME = "max-h-[max(10rem,calc(88vh-32rem))] rounded-md border border-line";
/** No tag: a tag may be any text but this one. */
const ANY_TAG = "(any)";

interface OperationFilter {
  readonly query: string;
  readonly tag: string;
}

/** The operations or tools of a source, searched by word and tag, each with its box to tick. */
export function ImportOperations({ noun, changes, picked, onPick }: ImportOperationsProps) {
  const [filter, setFilter] = useState<OperationFilter>({ query: "", tag: ANY_TAG });
  const shown = changes.filter((change) => fits(change, filter));
  const ids = shown.map(({ toolId }) => toolId);
  const shownPicked = ids.filter((id) => picked.has(id)).length;
  const [guesses, setGuesses] = useState(false);
  const firstImport = changes.every(({ kind }) => kind === "added");
  const hasRequests = changes.some(({ method, path }) => method !== null || path !== null);
  const pick = (which: readonly string[], on: boolean) =>
    onPick(on ? new Set([...picked, ...which]) : new Set([...picked].filter((id) => !which.includes(id))));
  return (
    <>
      <Search noun={noun} filter={filter} onChange={setFilter} changes={changes}>
        {picked.size.toLocaleString("en")} of {changes.length.toLocaleString("en")} selected
      </Search>
      <Table label={noun === "tool" ? "Tools" : "Operations"} frameClassName={FRAME}>
        <thead>
          <tr>
            <Th className="w-8">
              <Checkbox
                aria-label="Select all shown"
                checked={shown.length > 0 && shownPicked === shown.length}
                indeterminate={shownPicked > 0 && shownPicked < shown.length}
                onChange={(on) => pick(ids, on)}
              />
            </Th>
            <Th>{noun === "tool" ? "Tool" : "Operation"}</Th>
            {hasRequests && <Th>Request</Th>}
            <Th className="w-full min-w-32">Description</Th>
            {!firstImport && <Th>Change</Th>}
            {guesses && <Th>Guessed flow</Th>}
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, MAX_ROWS).map((change) => (
            <Operation
              key={change.toolId}
              change={change}
              hasRequests={hasRequests}
              guesses={guesses}
              firstImport={firstImport}
              picked={picked.has(change.toolId)}
              onPick={(on) => pick([change.toolId], on)}
            />
          ))}
        </tbody>
      </Table>
      <Notes noun={noun} changes={changes} guesses={guesses} onGuesses={setGuesses} hasRequests={hasRequests} />
      {shown.length > MAX_ROWS && (
        <p className="text-xs text-muted">
          The first {MAX_ROWS} of {shown.length.toLocaleString("en")}. Search or choose a tag for the others; the
          checkbox in the header selects all {shown.length.toLocaleString("en")}.
        </p>
      )}
    </>
  );
}

interface NotesProps extends Pick<ImportOperationsProps, "noun" | "changes"> {
  guesses: boolean;
  onGuesses: (shown: boolean) => void;
  hasRequests: boolean;
}

/** Why some rows are not selected, and what was guessed. */
function Notes({ noun, changes, guesses, onGuesses, hasRequests }: NotesProps) {
  return (
    <>
      {changes.some(({ kind, hasSideEffects }) => kind === "added" && hasSideEffects) && (
        <p className="text-xs text-muted">
          {noun === "tool" ? "Tools" : "Operations"} with side effects are not selected by default.
        </p>
      )}
      {changes.some(hasGuess) && <GuessNote shown={guesses} onShow={onGuesses} hasRequests={hasRequests} />}
    </>
  );
}

interface GuessNoteProps {
  shown: boolean;
  onShow: (shown: boolean) => void;
  hasRequests: boolean;
}

/** What the import guesses about data flow. Reading tools mostly get the same guess, so its column is shown on request. */
function GuessNote({ shown, onShow, hasRequests }: GuessNoteProps) {
  return (
    <div className="flex flex-col items-start gap-1 text-xs text-pretty text-muted">
      <p>
        Quartermaster guesses from the {hasRequests ? "request method" : "tool’s annotations"} what each call does with
        data, for flow rules. Confirm or replace the guesses later under <strong>Advanced › Flow guesses</strong>.
      </p>
      {shown && (
        <p>
          <strong>private</strong>: reads personal or company data. <strong>untrusted</strong>: reads text that
          outsiders may have written. <strong>outward</strong>: can send data out.
        </p>
      )}
      <Button size="sm" variant="ghost" onClick={() => onShow(!shown)} className="-ml-2">
        {shown ? "Hide guesses" : "Show guesses"}
      </Button>
    </div>
  );
}

interface SearchProps {
  noun: ImportNoun;
  filter: OperationFilter;
  onChange: (filter: OperationFilter) => void;
  changes: readonly PlannedChange[];
  /** How many are selected. */
  children: ReactNode;
}

function Search({ noun, filter, onChange, changes, children }: SearchProps) {
  const tags = [...new Set(changes.flatMap((change) => change.tags))].toSorted();
  return (
    <div className="flex items-center gap-2">
      <Input
        aria-label={`Search ${noun}s`}
        placeholder={`Search ${noun}s`}
        value={filter.query}
        onChange={(event) => onChange({ ...filter, query: event.target.value })}
        className="w-64"
      />
      {tags.length > 0 && (
        <Select
          aria-label="Tag"
          value={filter.tag}
          onChange={(tag) => onChange({ ...filter, tag })}
          options={[{ value: ANY_TAG, label: "Any tag" }, ...tags.map((value) => ({ value, label: value }))]}
          className="w-40"
        />
      )}
      <span aria-live="polite" className="ml-auto text-xs whitespace-nowrap text-muted tabular-nums">
        {children}
      </span>
    </div>
  );
}

interface OperationProps {
  change: PlannedChange;
  hasRequests: boolean;
  /** Whether the table shows the column of guesses. */
  guesses: boolean;
  /** Whether every row is new, which then needs no column. */
  firstImport: boolean;
  picked: boolean;
  onPick: (picked: boolean) => void;
}

function Operation({ change, hasRequests, guesses, firstImport, picked, onPick }: OperationProps) {
  const box = useId();
  return (
    <tr>
      <Td>
        <Checkbox id={box} aria-label={change.toolId} checked={picked} onChange={onPick} />
      </Td>
      <Td className="font-mono text-xs whitespace-nowrap">
        <label htmlFor={box}>{change.name}</label>
        {change.hasSideEffects && (
          <Badge tone="outline" className="ml-2 font-sans">
            side effects
          </Badge>
        )}
      </Td>
      {hasRequests && (
        <Td className="font-mono text-xs text-muted" title={`${change.method} ${change.path}`}>
          <span className="block max-w-64 truncate">
            {change.method} {change.path}
          </span>
        </Td>
      )}
      <Td className="w-full max-w-0 min-w-32">
        <span className="block truncate text-muted">
          {/* The first line is often a title without a full stop. */}
          <VisibleText text={change.description.replace(/\s*\n\s*/, " · ")} />
        </span>
      </Td>
      {!firstImport && (
        <Td className="whitespace-nowrap">
          <Badge tone={KIND[change.kind].tone}>{KIND[change.kind].word}</Badge>
          {change.fields.length > 0 && <span className="ml-1 text-xs text-muted">{change.fields.join(", ")}</span>}
        </Td>
      )}
      {guesses && (
        <Td title={guessedFrom(change.flowGuess ?? [])} className="text-xs whitespace-nowrap text-muted">
          {(change.flowGuess ?? []).map(({ word }) => word).join(", ")}
        </Td>
      )}
    </tr>
  );
}

function fits({ toolId, method, path, description, tags }: PlannedChange, { query, tag }: OperationFilter): boolean {
  if (tag !== ANY_TAG && !tags.includes(tag)) return false;
  const word = query.trim().toLowerCase();
  return [toolId, `${method ?? ""} ${path ?? ""}`, description].some((text) => text.toLowerCase().includes(word));
}
