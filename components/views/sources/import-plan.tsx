import { CircleAlert } from "lucide-react";
import { useState } from "react";
import { useGet } from "@/components/resource/use-get";
import { useDraft } from "@/components/resource/editor/draft";
import { Problem } from "@/components/resource/request";
import { counted } from "@/components/ui/counted";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogActions } from "@/components/ui/overlays/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { VisibleText } from "@/components/ui/visible-text";
import { WithCode } from "@/components/ui/json/with-code";
import { useApplyImport, type ImportProgress } from "@/components/views/sources/apply-import";
import { DocumentWarnings } from "@/components/views/sources/document-warnings";
import { ImportGroups, useImportCallers } from "@/components/views/sources/import-groups";
import { ImportHosts } from "@/components/views/sources/import-hosts";
import { ImportOperations, type ImportNoun, type PlannedChange } from "@/components/views/sources/import-operations";
import type { Auth } from "@/components/views/sources/source-auth";
import { SuggestedAuth } from "@/components/views/sources/suggested-auth";
import type { AuthSuggestion } from "@/lib/contracts/sources/auth-suggestion";
import type { ImportCallers, ImportJob } from "@/lib/contracts/sources/import-job";

const READING: Readonly<Record<ImportNoun, string>> = {
  operation: "Reading the document",
  tool: "Listing the server's tools",
};
/** Milliseconds between two polls of a running import. */
const POLL_MS = 300;

interface ImportPlanProps {
  id: string;
  /** What the source lists: operations of a document, or tools of an MCP server. */
  noun: ImportNoun;
  onBack: () => void;
  /** Names the page that `onBack` leads to, if it is not the form before. */
  backLabel?: string | undefined;
  /** Reads the source again after a failure. Absent: the form before does. */
  onRetry?: (() => void) | undefined;
  /** Opens the form of the source again after a failure. Absent: `onBack` does. */
  onEdit?: (() => void) | undefined;
  onDone: () => void;
}

/** A running import: the progress of the reading, then the plan with its operations to select. */
export function ImportPlan({ id, noun, onBack, backLabel = "Back", onRetry, onEdit, onDone }: ImportPlanProps) {
  const job = useGet<ImportJob>(["imports", id], `/api/admin/imports/${id}`, {
    refetchInterval: ({ state }) => (state.error === null && state.data?.status === "running" ? POLL_MS : false),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (job.isError)
    return (
      <Lost error={job.error} pending={job.isFetching} noun={noun} onRetry={() => void job.refetch()} onBack={onBack} />
    );
  if (job.data?.status === "failed")
    return (
      <div role="alert">
        <EmptyState
          title="Could not read the source"
          action={
            <>
              <Button onClick={onBack}>{backLabel}</Button>
              {onEdit !== undefined && <Button onClick={onEdit}>Change settings</Button>}
              {onRetry !== undefined && (
                <Button variant="primary" onClick={onRetry}>
                  Try again
                </Button>
              )}
            </>
          }
        >
          <WithCode text={job.data.error ?? ""} />
        </EmptyState>
      </div>
    );
  if (job.data === undefined || job.data.status === "running") return <Reading job={job.data} noun={noun} />;
  return <Plan job={job.data} noun={noun} onBack={onBack} backLabel={backLabel} onDone={onDone} />;
}

interface LostProps {
  noun: ImportNoun;
  error: Error;
  pending: boolean;
  onRetry: () => void;
  onBack: () => void;
}

/** Shown when the progress cannot be fetched. The import continues on the server without this page. */
function Lost({ error, noun, pending, onRetry, onBack }: LostProps) {
  const requestId = error instanceof Problem ? error.requestId : null;
  return (
    <div role="alert">
      <EmptyState
        icon={<CircleAlert aria-hidden />}
        title="The progress of the import could not be loaded"
        action={
          <>
            <Button onClick={onBack}>Back</Button>
            <Button variant="primary" pending={pending} onClick={onRetry}>
              Try again
            </Button>
            {requestId !== null && <CopyButton text={requestId} label="Copy request id" showLabel />}
          </>
        }
      >
        <WithCode text={error.message} /> The server keeps reading the source. It imports nothing until you select{" "}
        {noun}s.
      </EmptyState>
    </div>
  );
}

function Reading({ job, noun }: { job: ImportJob | undefined; noun: ImportNoun }) {
  const total = job?.total ?? 0;
  return (
    <div role="status" className="flex flex-col gap-3 py-10 text-center text-sm text-muted">
      {READING[noun]}… {total > 0 && `${formatCount(job?.done ?? 0)} of ${formatCount(total)} ${noun}s`}
      <progress
        aria-label={READING[noun]}
        {...(total > 0 && { value: job?.done, max: total })}
        className="mx-auto h-1.5 w-64"
      />
    </div>
  );
}

/** A person's selection in a plan. */
function useChoice({ id, plan }: ImportJob) {
  // A person must select changes to known tools, and new tools that change something outside.
  const [picked, setPicked] = useState<ReadonlySet<string>>(
    () => new Set(plan.added.filter((entry) => !entry.hasSideEffects).map((entry) => entry.toolId)),
  );
  const [groups, setGroups] = useState<string[]>([]);
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set());
  const [suggestion, setSuggestion] = useState<AuthSuggestion | null>(null);
  const { draft, setProblems } = useDraft<{ auth: Auth }>({ auth: { mode: "none" } }, { readOnly: false, isNew: true });
  // An import that an older app planned has no hosts.
  const { hosts = [] } = plan;
  const foreign = new Set(hosts.flatMap(({ host, foreign: isForeign }) => (isForeign ? [host] : [])));
  const added = plan.added.filter(({ toolId }) => picked.has(toolId));
  const needed = new Set(added.flatMap(({ host }) => (host !== null && foreign.has(host) ? [host] : [])));
  const newTools = added.map(({ toolId }) => toolId);
  const impact = useImportCallers(id, newTools, groups);
  return {
    picked,
    setPicked,
    newTools,
    groups,
    setGroups,
    impact,
    /** Nobody imports new tools before the page has counted the callers that would see them. */
    counting: newTools.length > 0 && impact.answer === undefined && !impact.failed,
    hosts,
    /** The foreign hosts that the picked operations call. */
    needed,
    accepted,
    setAccepted,
    missing: [...needed].filter((host) => !accepted.has(host)).length,
    suggestion,
    setSuggestion,
    draft,
    setProblems,
    body: { operations: [...picked], groups, hosts: [...accepted], ...(suggestion !== null && draft.value) },
  };
}

type Choice = ReturnType<typeof useChoice>;

function Plan({ job, noun, onBack, backLabel, onDone }: Omit<ImportPlanProps, "id"> & { job: ImportJob }) {
  const choice = useChoice(job);
  const { picked, newTools, suggestion } = choice;
  const { apply, saved } = useApplyImport(job, choice, onDone);
  const changes: PlannedChange[] = (["added", "changed", "removed"] as const).flatMap((kind) =>
    job.plan[kind].map((entry) => ({ ...entry, kind })),
  );
  return (
    <div className="flex flex-col gap-3">
      <Summary job={job} />
      <ImportHosts
        hosts={choice.hosts}
        needed={choice.needed}
        accepted={choice.accepted}
        onAccept={choice.setAccepted}
      />
      {changes.length === 0 ? (
        <EmptyState title="Nothing to import">
          {job.plan.unchanged.length === 0
            ? `The source has no ${noun}s.`
            : `Every ${noun} of the source is already imported and unchanged.`}
        </EmptyState>
      ) : (
        <ImportOperations noun={noun} changes={changes} picked={picked} onPick={choice.setPicked} />
      )}
      {newTools.length > 0 && (
        <ImportGroups groups={choice.groups} onChange={choice.setGroups} impact={choice.impact} />
      )}
      <SuggestedAuth
        suggestions={job.suggestedAuth}
        chosen={suggestion}
        onChoose={choice.setSuggestion}
        draft={choice.draft}
      />
      <DocumentWarnings warnings={job.warnings} hasAuth={suggestion !== null} />
      <DialogActions>
        {choice.missing > 0 && <MissingHosts count={choice.missing} />}
        {apply.isPending && <Saving progress={saved} />}
        {apply.error !== null && (
          <p role="alert" className="mr-auto self-center text-sm text-deny">
            {apply.error.message}
          </p>
        )}
        <Button variant="ghost" disabled={apply.isPending} onClick={onBack}>
          {backLabel}
        </Button>
        {(changes.length > 0 || suggestion !== null) && (
          <Button
            variant="primary"
            disabled={choice.missing > 0 || choice.counting || (picked.size === 0 && suggestion === null)}
            pending={apply.isPending}
            onClick={() => apply.mutate()}
          >
            {labelButton(choice, noun)}
          </Button>
        )}
      </DialogActions>
    </div>
  );
}

/** Shown beside the buttons, which are visible wherever the plan is scrolled to. */
function Saving({ progress }: { progress: ImportProgress | null }) {
  return (
    <p role="status" className="mr-auto flex items-center gap-3 self-center text-sm text-muted tabular-nums">
      <progress
        aria-label="Saving the tools"
        {...(progress !== null && { value: progress.done, max: progress.total })}
        className="h-1.5 w-32"
      />
      Saving… {progress !== null && `${formatCount(progress.done)} of ${formatCount(progress.total)} tools`}
    </p>
  );
}

function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/** Such as "3 new, 5 unchanged", without the kinds that have none. */
function countKinds(kinds: Readonly<Record<string, readonly unknown[]>>): string {
  const some = Object.entries(kinds).filter(([, { length }]) => length > 0);
  return some.map(([kind, { length }]) => `${formatCount(length)} ${kind}`).join(", ");
}

function Summary({ job }: { job: ImportJob }) {
  const { plan } = job;
  return (
    <p className="text-sm">
      <span className="font-medium">{job.source}</span>
      <VisibleText text={job.title === null ? " · " : `, which calls itself ${job.title} · `} />
      <span className="text-muted tabular-nums">
        {countKinds({ new: plan.added, changed: plan.changed, removed: plan.removed, unchanged: plan.unchanged })}
      </span>
      {plan.changed.length > 0 && (
        <span className="text-muted">. Names and descriptions that you changed are kept.</span>
      )}
    </p>
  );
}

function MissingHosts({ count }: { count: number }) {
  return (
    <p role="status" className="mr-auto self-center text-sm text-warn">
      Select {count === 1 ? "the host" : `the ${count} hosts`} above, or select fewer operations
    </p>
  );
}

function impactInWords({ callers, tools, more }: ImportCallers): string {
  if (callers.length === 0) return "visible to no caller yet";
  const seers = `${counted(callers.length, "caller")} ${callers.length === 1 ? "sees" : "see"}`;
  return `${more ? "at least " : ""}${seers} ${counted(tools, "new tool")}`;
}

function labelButton({ picked, suggestion, newTools, impact, counting }: Choice, noun: ImportNoun): string {
  if (picked.size === 0 && suggestion !== null) return "Set authentication";
  const words = `Import ${counted(picked.size, noun)}`;
  if (counting) return `${words} · counting callers…`;
  return newTools.length > 0 && impact.answer !== undefined ? `${words} · ${impactInWords(impact.answer)}` : words;
}
