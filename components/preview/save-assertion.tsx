import { useMutation } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import { useState } from "react";
import { toOptions } from "@/components/ui/forms/options";
import type { PreviewDraft } from "@/components/preview/draft";
import { isCallable, mayHave, suggestedName, toAssertion, type Expectation } from "@/components/preview/to-assertion";
import { PlanWarnings } from "@/components/resource/editor/plan-warnings";
import { problemsOf } from "@/components/resource/request";
import { planSave } from "@/components/resource/editor/use-row-plan";
import { useSave } from "@/components/resource/editor/use-save";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Segmented } from "@/components/ui/forms/segmented";
import { toast } from "@/components/ui/overlays/toast";
import type { Input as ResourceInput } from "@/lib/resources";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";
import type { Warning } from "@/lib/contracts/changes/row-plan";

type Assertion = ResourceInput<"assertions">;

interface SaveAssertionProps {
  answer: PreviewOutput;
  draft: PreviewDraft;
  selected: string | null;
}

/** Saves a preview's result as an assertion, if the role may. */
export function SaveAssertion(props: SaveAssertionProps) {
  const [open, setOpen] = useState(false);
  if (!useCan("configuration:write")) return null;
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        <ListChecks aria-hidden /> Save as assertion
      </Button>
      {open && <SaveDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function SaveDialog({ answer, draft, selected, onClose }: SaveAssertionProps & { onClose: () => void }) {
  const known = selected !== null && mayHave(answer, selected) ? selected : null;
  const [expectation, setExpectation] = useState<Expectation>("exactly");
  const [typed, setTyped] = useState<string | null>(null);
  const { warnings, setWarnings, save } = useCheckedSave(onClose);
  const name = typed ?? suggestedName(draft, expectation, answer, known);
  const input = { name: name.trim(), ...toAssertion(answer, draft, expectation, known) };
  return (
    <ActionDialog
      title="Save as assertion"
      description="An assertion is a test of the rules. Quartermaster runs it before and after every save. You can also run it on the command line."
      action={warnings.length === 0 ? "Save assertion" : "Save anyway"}
      pending={save.isPending}
      disabled={name.trim() === ""}
      isForm
      onAct={() => save.mutate(input)}
      onClose={onClose}
    >
      <Field label="Expectation" group>
        <Segmented<Expectation>
          label="Expectation"
          value={expectation}
          onChange={(next) => {
            setExpectation(next);
            setWarnings([]);
          }}
          options={expectationsOf(answer, known)}
        />
      </Field>
      <Field label="Name" error={problemsOf(save.error)[0]?.message}>
        <Input
          value={name}
          onChange={(event) => {
            setTyped(event.target.value);
            setWarnings([]);
          }}
          maxLength={120}
        />
      </Field>
      <Expected input={input} />
      <PlanWarnings title="Under the current rules:" warnings={warnings} />
    </ActionDialog>
  );
}

/** The first press warns if the assertion fails under the present rules; the second press saves it anyway. */
function useCheckedSave(onSaved: () => void) {
  const [warnings, setWarnings] = useState<readonly Warning[]>([]);
  const create = useSave("assertions");
  const save = useMutation({
    mutationFn: async (input: Assertion) => {
      if (warnings.length === 0) {
        const plan = await planSave("assertions", { input });
        if (plan.errors[0] !== undefined) throw new Error(plan.errors[0].message);
        if (plan.warnings.length > 0) return setWarnings(plan.warnings);
      }
      const row = await create.mutateAsync({ input });
      toast({ title: `Created assertion ${row.name}` });
      onSaved();
    },
  });
  return { warnings, setWarnings, save };
}

function expectationsOf(
  answer: PreviewOutput,
  selected: string | null,
): readonly { value: Expectation; label: string }[] {
  const all = toOptions({ exactly: "Exactly these tools", at_least: "At least these" });
  if (selected === null) return all;
  const label = isCallable(answer, selected) ? "The selected tool is visible" : "The selected tool is hidden";
  return [...all, { value: "selected", label }];
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
