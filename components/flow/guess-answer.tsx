import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FlowImpact, GUESS_NOTE } from "@/components/flow/flow-impact";
import { request } from "@/components/resource/request";
import { useTypedNames } from "@/components/resource/use-names";
import { counted } from "@/components/ui/counted";
import { Chips } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { toast } from "@/components/ui/overlays/toast";
import { toContent } from "@/components/ui/to-content";
import { type ToolFlow, OUTWARD } from "@/lib/access/model/flow";
import type { FlowGuessAnswered, FlowGuessItem } from "@/lib/contracts/sources/flow-guess";

/** A person's answer: the flow that replaces the guess; `null` = the guess is right. */
interface Answer {
  readonly rows: readonly Pick<FlowGuessItem, "id" | "revision">[];
  readonly flow: ToolFlow | null;
}

/** Answers guesses, and then refetches everything that shows tools. */
export function useAnswerGuesses(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ rows, flow }: Answer) =>
      request<FlowGuessAnswered>("/api/admin/flow-guesses/answer", {
        method: "POST",
        body: { rows: { items: rows.map(({ id, revision }) => ({ id, revision })) }, flow },
      }),
    onSuccess: async (_answered, { rows, flow }) => {
      const [first] = rows;
      const about = rows.length === 1 && first !== undefined ? first.id : `${rows.length} tools`;
      toast({ title: `${flow === null ? "Confirmed" : "Replaced"} the flow of ${about}` });
      // The pressed button disappears with the answered rows.
      toContent();
      onDone();
      await client.invalidateQueries();
    },
  });
}

interface AnswerDialogProps {
  rows: readonly FlowGuessItem[];
  onClose: () => void;
  onAnswered: () => void;
}

/** Asks for the flow that replaces the guesses of these tools. */
export function ReplaceDialog({ rows: shown, onClose, onAnswered }: AnswerDialogProps) {
  // As they were when the dialog opened: a later answer of the server must not change what a person decides here.
  const [rows] = useState(shown);
  const [first] = rows;
  const labels = useTypedNames("labels").picker;
  const [raises, setRaises] = useState<string[]>(startOf(rows, "raises"));
  const [is, setIs] = useState<string[]>(startOf(rows, "is"));
  const answer = useAnswerGuesses(() => {
    onClose();
    onAnswered();
  });
  return (
    <ActionDialog
      title={
        rows.length === 1 && first !== undefined
          ? `Replace the guess for ${first.id}?`
          : `Replace ${rows.length} guesses?`
      }
      description={`This becomes the whole flow of ${rows.length === 1 ? "the tool" : counted(rows.length, "tool", "tools")}. Leave both empty for a tool that reads nothing private or untrusted and sends nothing out.`}
      action={rows.length === 1 ? "Replace guess" : "Replace guesses"}
      pending={answer.isPending}
      error={answer.error?.message}
      isForm
      onAct={() => answer.mutate({ rows, flow: { raises, is } })}
      onClose={onClose}
    >
      <Field label="Raises labels" hint="A caller holds them once it has called the tool" path="raises">
        <Chips value={raises} onChange={setRaises} {...labels} placeholder="Select…" />
      </Field>
      <Field
        label="Classes"
        hint={`${OUTWARD}: the tool can send data out. Flow rules can name other classes too`}
        path="is"
      >
        <Chips
          value={is}
          onChange={setIs}
          options={[{ value: OUTWARD, label: OUTWARD }]}
          creatable
          placeholder="Type and press Enter"
          mono
        />
      </Field>
      <FlowImpact change={{ ids: rows.map(({ id }) => id), flow: { raises, is } }} note={GUESS_NOTE} />
    </ActionDialog>
  );
}

/** One tool starts with its guess, to be corrected. Several start with what the first states. */
function startOf(rows: readonly FlowGuessItem[], kind: "raises" | "is"): string[] {
  const [first] = rows;
  const guesses = rows.length === 1 ? (first?.flowGuess ?? []).filter((guess) => guess.kind === kind) : [];
  return [...new Set([...(first?.flow[kind] ?? []), ...guesses.map(({ word }) => word)])];
}

/** Shows what is confirmed, for several tools at once. */
export function ConfirmDialog({ rows: shown, onClose, onAnswered }: AnswerDialogProps) {
  // As they were when the dialog opened: a later answer of the server must not change what a person decides here.
  const [rows] = useState(shown);
  const answer = useAnswerGuesses(() => {
    onClose();
    onAnswered();
  });
  const [first] = rows;
  const words = [...new Set(rows.flatMap(({ flowGuess }) => (flowGuess ?? []).map(({ word }) => word)))];
  return (
    <ActionDialog
      title={
        rows.length === 1 && first !== undefined
          ? `Confirm the guess for ${first.id}?`
          : `Confirm ${rows.length} guesses?`
      }
      description="Each guess becomes part of its tool's flow. No decision changes, because flow rules already apply to guesses."
      action={rows.length === 1 ? "Confirm guess" : "Confirm guesses"}
      pending={answer.isPending}
      error={answer.error?.message}
      onAct={() => answer.mutate({ rows, flow: null })}
      onClose={onClose}
    >
      <ul aria-label="Confirms" className="flex flex-col gap-1 text-sm">
        {words.map((word) => (
          <li key={word}>
            <span className="font-mono text-xs">{word}</span>{" "}
            <span className="text-muted">
              {counted(
                rows.filter(({ flowGuess }) => flowGuess?.some((guess) => guess.word === word)).length,
                "tool",
                "tools",
              )}
            </span>
          </li>
        ))}
      </ul>
    </ActionDialog>
  );
}
