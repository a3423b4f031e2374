"use client";

import { ListChecks } from "lucide-react";
import { useState } from "react";
import type { PreviewDraft } from "@/components/preview/draft";
import { isCallable, suggestedName, toAssertion, type Expectation } from "@/components/preview/to-assertion";
import { PlanWarnings } from "@/components/resource/editor/plan-warnings";
import { Problem } from "@/components/resource/request";
import { planSave } from "@/components/resource/editor/use-row-plan";
import { useSave } from "@/components/resource/editor/use-save";
import { useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/overlays/dialog";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Segmented } from "@/components/ui/forms/segmented";
import { toast } from "@/components/ui/overlays/toast";
import { can } from "@/lib/resources/permissions";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";
import type { Warning } from "@/lib/contracts/changes/row-plan";

interface SaveAssertionProps {
  answer: PreviewOutput;
  draft: PreviewDraft;
  selected: string | null;
}

/** Saves a preview's result as an assertion, if the role may. */
export function SaveAssertion(props: SaveAssertionProps) {
  const [open, setOpen] = useState(false);
  if (!can(useWho().role, "configuration:write")) return null;
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        <ListChecks aria-hidden /> Save as assertion
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Save as assertion"
        description="An assertion is a test of the rules. Quartermaster runs it before and after every save. You can also run it on the command line."
      >
        {open && <Form {...props} onSaved={() => setOpen(false)} onCancel={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

function Form({
  answer,
  draft,
  selected,
  onSaved,
  onCancel,
}: SaveAssertionProps & Record<"onSaved" | "onCancel", () => void>) {
  const known = [...answer.tools, ...answer.hidden].some(({ toolId }) => toolId === selected) ? selected : null;
  const [expectation, setExpectation] = useState<Expectation>("exactly");
  const [typed, setTyped] = useState<string | null>(null);
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  const [checking, setChecking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = useSave("assertions");
  const name = typed ?? suggestedName(draft, expectation, answer, known);
  const input = { name: name.trim(), ...toAssertion(answer, draft, expectation, known) };

  const refuse = (error: unknown) => {
    const first = error instanceof Problem ? error.errors[0]?.message : undefined;
    setProblem(first ?? (error instanceof Error ? error.message : String(error)));
  };
  /** The first press warns if the assertion fails under the present rules; the second press saves it anyway. */
  const run = async () => {
    setProblem(null);
    const plan = warnings.length > 0 ? { errors: [], warnings: [] } : await planSave("assertions", { input });
    const [first] = plan.errors;
    if (first !== undefined) return setProblem(first.message);
    if (plan.warnings.length > 0) return setWarnings(plan.warnings);
    const row = await save.mutateAsync({ input });
    toast({ title: `Created assertion ${row.name}` });
    onSaved();
  };
  const press = () => {
    setChecking(true);
    void run()
      .catch(refuse)
      .finally(() => setChecking(false));
  };
  const change = (next: { name?: string; expectation?: Expectation }) => {
    if (next.name !== undefined) setTyped(next.name);
    if (next.expectation !== undefined) setExpectation(next.expectation);
    setWarnings([]);
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        press();
      }}
    >
      <Field label="Expectation" group>
        <Segmented<Expectation>
          label="Expectation"
          value={expectation}
          onChange={(next) => change({ expectation: next })}
          options={[
            { value: "exactly", label: "Exactly these tools" },
            { value: "at_least", label: "At least these" },
            ...(known === null
              ? []
              : [
                  {
                    value: "selected" as const,
                    label: isCallable(answer, known) ? "The selected tool is visible" : "The selected tool is hidden",
                  },
                ]),
          ]}
        />
      </Field>
      <Field label="Name" error={problem ?? undefined}>
        <Input value={name} onChange={(event) => change({ name: event.target.value })} maxLength={120} />
      </Field>
      <Expected input={input} />
      <PlanWarnings title="Under the current rules:" warnings={warnings} />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={checking} disabled={name.trim() === ""}>
          {warnings.length === 0 ? "Save assertion" : "Save anyway"}
        </Button>
      </DialogActions>
    </form>
  );
}

/** The tools that it will name. */
function Expected({ input: { expect } }: { input: ReturnType<typeof toAssertion> }) {
  const ids = [...(expect.visible ?? []), ...(expect.hidden ?? [])].map(String);
  const word =
    (expect.hidden ?? []).length > 0 ? "Hidden" : expect.exactly === true ? "Only these tools are visible" : "Visible";
  return (
    <div className="flex flex-col gap-1 text-xs">
      <p className="text-muted">
        {word} ({ids.length.toLocaleString("en")})
      </p>
      <div
        tabIndex={0}
        role="region"
        aria-label={word}
        className="max-h-40 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono leading-5"
      >
        {ids.length === 0 ? (
          <p className="font-sans text-muted">No tools</p>
        ) : (
          <ul>
            {ids.map((id) => (
              <li key={id}>{id}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
