import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { PlanView } from "@/components/configuration/plan-view";
import { ProblemList } from "@/components/resource/editor/problem-list";
import { Problem, request, requestYaml } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Segmented } from "@/components/ui/forms/segmented";
import { Textarea } from "@/components/ui/forms/textarea";
import { toast } from "@/components/ui/overlays/toast";
import type { ConfigPlan } from "@/lib/contracts/changes/config";

type Mode = ConfigPlan["mode"];

/** Takes a pasted or uploaded document, plans it, and applies exactly that plan or nothing. */
export function ImportPanel({ onApplied }: { onApplied: () => void }) {
  const { text, mode, change, plan, apply, example } = useImport(onApplied);
  const error = plan.error ?? apply.error ?? example.error;
  const changes = plan.data === undefined ? 0 : plan.data.created + plan.data.changed + plan.data.deleted;
  return (
    <div className="@container">
      <div className="grid items-start gap-x-8 gap-y-4 @5xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <DocumentInput text={text} onText={(next) => change({ text: next })}>
            <Button size="sm" pending={example.isPending} onClick={() => example.mutate()}>
              Load example document
            </Button>
          </DocumentInput>
          <ModeField mode={mode} onMode={(next) => change({ mode: next })} />
          {error !== null && <ImportProblem error={error} />}
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
          ? "Creates the rows that the document names, or changes the fields that it states. Every row states its required fields. Deletes nothing."
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

interface DocumentInputProps {
  text: string;
  onText: (text: string) => void;
  children: React.ReactNode;
}

function DocumentInput({ text, onText, children }: DocumentInputProps) {
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
        hint="A configuration document or a TrustGraph tool configuration (rows of type, key and value), as YAML or JSON"
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

function ImportProblem({ error }: { error: Error }) {
  const problems = error instanceof Problem ? error.errors : [];
  if (error instanceof Problem && error.code === "stale")
    return (
      <ProblemList
        title="The configuration changed after this plan was made. Plan again to see the current changes."
        tone="warn"
        problems={[{ path: "", message: error.message }]}
      />
    );
  const shown = problems.length > 0 ? problems : [{ path: "", message: error.message }];
  return <ProblemList title="Nothing was saved:" tone="deny" problems={shown} />;
}

/** A document, its plan and its application. */
function useImport(onApplied: () => void) {
  const [text, setText] = useState("");
  const [mode, setMode] = useState<Mode>("replace");
  const plan = usePlan();
  const apply = useApply(onApplied);
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

function usePlan() {
  return useMutation({
    mutationFn: ({ text, mode }: { text: string; mode: Mode }) =>
      request<ConfigPlan>(`/api/admin/config?dryRun=true&mode=${mode}`, { method: "PUT", document: text }),
  });
}

function useApply(onApplied: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ text, mode, basis }: { text: string; mode: Mode; basis: number }) =>
      request<ConfigPlan>(`/api/admin/config?mode=${mode}`, { method: "PUT", document: text, ifMatch: basis }),
    onSuccess: async ({ revision }) => {
      toast({ title: "Configuration applied", description: `The configuration is now at revision ${revision}.` });
      onApplied();
      await client.invalidateQueries();
    },
  });
}
