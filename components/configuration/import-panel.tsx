import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { PlanView } from "@/components/configuration/plan-view";
import { ApplyProblem } from "@/components/configuration/apply-problem";
import { planOf, useApply, type DocumentInput } from "@/components/configuration/use-apply";
import { requestYaml } from "@/components/resource/request";
import { useIsShown } from "@/components/resource/use-is-shown";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Segmented } from "@/components/ui/forms/segmented";
import { Textarea } from "@/components/ui/forms/textarea";

type Mode = DocumentInput["mode"];

/** Takes a pasted or uploaded document, plans it, and applies exactly that plan or nothing. */
export function ImportPanel({ onApplied }: { onApplied: () => void }) {
  const { text, mode, change, plan, apply, example } = useImport(onApplied);
  const error = plan.error ?? apply.error ?? example.error;
  const changes = plan.data === undefined ? 0 : plan.data.created + plan.data.changed + plan.data.deleted;
  return (
    <div className="@container">
      <div className="grid items-start gap-x-8 gap-y-4 @5xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <DocumentFields text={text} onText={(next) => change({ text: next })}>
            <Button size="sm" pending={example.isPending} onClick={() => example.mutate()}>
              Load example document
            </Button>
          </DocumentFields>
          <ModeField mode={mode} onMode={(next) => change({ mode: next })} />
          {error !== null && <ApplyProblem error={error} isSave={error === apply.error} />}
          <Button
            variant={plan.data === undefined ? "primary" : "secondary"}
            className="self-start"
            disabled={text.trim() === ""}
            pending={plan.isPending}
            onClick={() => plan.mutate({ text, mode })}
          >
            {plan.data === undefined ? "Plan" : "Plan again"}
          </Button>
        </div>
        {plan.data === undefined || apply.data !== undefined ? (
          <p className="rounded-lg border border-dashed border-line px-4 py-10 text-center text-sm text-pretty text-muted @max-5xl:hidden">
            The plan appears here: what the document would create, change and delete, and which callers it affects.
            Nothing is saved until you apply it.
          </p>
        ) : (
          <PlanView plan={plan.data} document={text}>
            {plan.data.errors.length === 0 && changes > 0 && (
              <Button
                variant={plan.data.deleted > 0 ? "danger" : "primary"}
                className="self-start"
                pending={apply.isPending}
                onClick={() => apply.mutate({ text, mode, basis: plan.data.basis })}
              >
                {changes === 1 ? "Apply 1 change" : `Apply ${changes} changes`}
              </Button>
            )}
          </PlanView>
        )}
      </div>
    </div>
  );
}

function ModeField({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  return (
    <Field
      label="What the document does"
      group
      hint={
        mode === "merge"
          ? "Creates the rows that the document names, or changes the fields that it states. A new row states its required fields. Deletes nothing."
          : "Each section in the document replaces the stored section. Rows that the document omits are deleted. Sections that it omits stay."
      }
    >
      <Segmented
        label="What the document does"
        value={mode}
        onChange={onMode}
        options={toOptions({ replace: "Replaces stated sections", merge: "Adds and changes only" })}
      />
    </Field>
  );
}

interface DocumentFieldsProps {
  text: string;
  onText: (text: string) => void;
  children: React.ReactNode;
}

function DocumentFields({ text, onText, children }: DocumentFieldsProps) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <input
          type="file"
          aria-label="Document file"
          accept=".json,.yaml,.yml,application/json,application/yaml"
          onChange={(event) => void event.target.files?.[0]?.text().then(onText)}
          className="text-sm text-muted file:mr-3 file:h-8 file:rounded-md file:border file:border-line file:bg-raised file:px-3 file:text-sm file:font-medium file:text-ink"
        />
        {children}
      </div>
      <Field
        label="Document"
        hint="A configuration document, as Export writes it, in YAML or JSON. A tool configuration of the agent platform TrustGraph (rows of type, key and value) is read too, and always merged"
      >
        <Textarea
          mono
          rows={12}
          value={text}
          onChange={(event) => onText(event.target.value)}
          placeholder="apiVersion: quartermaster/v1"
          className="max-h-96 min-h-64"
        />
      </Field>
    </>
  );
}

/** A document, its plan and its application. */
function useImport(onApplied: () => void) {
  const [text, setText] = useState("");
  const [mode, setMode] = useState<Mode>("replace");
  const plan = useMutation({ mutationFn: (input: DocumentInput) => planOf(input) });
  const isShown = useIsShown();
  const apply = useApply({ onApplied: () => isShown.current && onApplied() });
  // A plan is valid only for its text, so any change of the text discards it.
  const change = (next: { text?: string; mode?: Mode }) => {
    if (next.text !== undefined) setText(next.text);
    if (next.mode !== undefined) setMode(next.mode);
    plan.reset();
    apply.reset();
  };
  const example = useMutation({
    mutationFn: () => requestYaml("/api/admin/config/example"),
    onSuccess: (loaded) => {
      change({ text: loaded, mode: "merge" });
      plan.mutate({ text: loaded, mode: "merge" });
    },
  });
  return { text, mode, change, plan, apply, example };
}
