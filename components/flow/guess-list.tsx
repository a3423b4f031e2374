import { useState } from "react";
import { ConfirmDialog, ReplaceDialog } from "@/components/flow/guess-answer";
import { GuessMissing } from "@/components/flow/guess-missing";
import { GuessBadges, guessedFrom } from "@/components/flow/guess-words";
import { List } from "@/components/resource/list/list";
import { textColumn, wideColumn } from "@/components/resource/columns";
import type { Column, Filter } from "@/components/resource/view";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { toOptions } from "@/components/ui/forms/options";
import { lazyPart } from "@/components/ui/lazy-part";
import { VisibleText } from "@/components/ui/visible-text";
import { OUTWARD, PRIVATE, UNTRUSTED } from "@/lib/access/model/flow";
import type { FlowGuessItem } from "@/lib/contracts/sources/flow-guess";

const Peek = lazyPart(async () => (await import("@/components/flow/guess-peek")).GuessPeek);

const COLUMNS: readonly Column<FlowGuessItem>[] = [
  { id: "id", header: "Tool", sorts: true, cell: ({ id }) => <span className="font-mono text-xs">{id}</span> },
  { id: "flowGuess", header: "Guess", cell: ({ flowGuess }) => <GuessBadges guesses={flowGuess ?? []} /> },
  textColumn("from", "Guessed from", ({ flowGuess }) => guessedFrom(flowGuess ?? [])),
  wideColumn("description", "Description", ({ description }) => <VisibleText text={description} />),
];

const FILTERS: readonly Filter[] = [
  { key: "source", label: "Source", names: "sources" },
  {
    key: "guess",
    label: "Guess",
    options: toOptions({ [PRIVATE]: "Raises private", [UNTRUSTED]: "Raises untrusted", [OUTWARD]: "Class outward" }),
  },
  {
    key: "method",
    label: "Method",
    options: ["GET", "POST", "PUT", "PATCH", "DELETE"].map((value) => ({ value, label: value })),
  },
];

/** The tools whose flow an import guessed. A guess binds until a person confirms or replaces it. */
export function GuessList() {
  return (
    <List<FlowGuessItem>
      list="flow-guesses"
      title="Flow guesses"
      words={["flow guess", "flow guesses"]}
      columns={COLUMNS}
      idOf={({ id }) => id}
      hrefOf={({ id }) => `/admin/tools/${encodeURIComponent(id)}?tab=flow`}
      filters={FILTERS}
      searches="Search tools…"
      sort="id"
      whenEmpty="An import guesses what each new tool reads and whether it sends data out. Flow rules apply to a guess until somebody confirms or replaces it here."
      actions={<GuessMissing />}
      renderSelected={(rows, onDone) => <SelectedGuesses rows={rows} onDone={onDone} />}
      renderPeek={(id, onClose, onNext) => <Peek id={id} onClose={onClose} onAnswered={onNext} />}
    />
  );
}

interface SelectedGuessesProps {
  rows: readonly FlowGuessItem[];
  onDone: () => void;
}

/** The two answers to several guesses. Each is for all of them or none. */
function SelectedGuesses({ rows, onDone }: SelectedGuessesProps) {
  const mayWrite = useCan("configuration:write");
  const [answering, setAnswering] = useState<"confirm" | "replace" | null>(null);
  const close = () => setAnswering(null);
  if (!mayWrite) return null;
  return (
    <>
      <Button size="sm" onClick={() => setAnswering("replace")}>
        Replace {rows.length === 1 ? "guess" : `${rows.length} guesses`}…
      </Button>
      <Button size="sm" variant="primary" onClick={() => setAnswering("confirm")}>
        Confirm {rows.length === 1 ? "guess" : `${rows.length} guesses`}…
      </Button>
      {answering === "confirm" && <ConfirmDialog rows={rows} onClose={close} onAnswered={onDone} />}
      {answering === "replace" && <ReplaceDialog rows={rows} onClose={close} onAnswered={onDone} />}
    </>
  );
}
