import { useApply } from "@/components/configuration/use-apply";
import { Impact } from "@/components/impact/impact";
import { reasonInWords } from "@/components/executions/reason-words";
import { PlanWarnings } from "@/components/resource/editor/plan-warnings";
import { Sentences } from "@/components/resource/editor/review-dialog";
import { useCan } from "@/components/resource/who";
import { useDraft, useDraftPlan, type Window } from "@/components/rightsizing/use-rightsizing";
import { Button } from "@/components/ui/button";
import { counted } from "@/components/ui/counted";
import { WithCode } from "@/components/ui/json/with-code";
import { ErrorNote } from "@/components/ui/error-note";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { DEFAULT_GROUP } from "@/lib/access/model/configuration";
import { inCode } from "@/lib/access/model/lists";
import type { CandidateDraft, CandidateOutput, RightsizingDetail } from "@/lib/contracts/decisions/rightsizing";

/** Smaller grants, each with the result of its replay. */
export function Candidates({ use, days }: { use: RightsizingDetail; days: Window }) {
  const draft = useDraft(use.policy, days);
  return (
    <section className="flex flex-col gap-2" aria-label="Smaller grants">
      <div>
        <h2 className="text-sm font-semibold">Smaller grants</h2>
        <p className="text-xs text-muted">
          The smallest change is first. Quartermaster decides the counted calls of the period again under each smaller
          grant. It calls no tool.
        </p>
      </div>
      {use.replay.state === "failed" ? (
        <ErrorNote text={use.replay.message} />
      ) : use.replay.state === "running" ? (
        <p role="status" className="text-sm text-muted">
          Checking the calls of this period
          {use.replay.total > 0 && `: ${Math.floor((100 * use.replay.done) / use.replay.total)} %`}
        </p>
      ) : use.candidates.length === 0 ? (
        <p className="text-sm text-muted">
          {use.changed
            ? "The policy changed in this period, so it is not known yet which of its tools are unused."
            : use.unused === 0
              ? "Every granted tool is used, marked to keep, or new."
              : "No granted tool is used. Consider deleting the policy."}
        </p>
      ) : (
        <ul className="flex flex-col gap-2">
          {use.candidates.map((candidate) => (
            <li key={candidate.kind}>
              <Candidate candidate={candidate} onOpen={() => draft.mutate(candidate.kind)} />
            </li>
          ))}
        </ul>
      )}
      {draft.data !== undefined && <DraftDialog draft={draft.data} onClose={() => draft.reset()} />}
    </section>
  );
}

function Candidate({ candidate, onOpen }: { candidate: CandidateOutput; onOpen: () => void }) {
  const { calls, same, notJudged, exceptions, moreExceptions, removed, tokens, dropped } = candidate;
  const canWrite = useCan("configuration:write");
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-line p-4 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-medium">
          <WithCode text={titleOf(candidate)} />
        </h3>
        {canWrite && (
          <Button size="sm" className="ml-auto" onClick={onOpen}>
            Open draft
          </Button>
        )}
      </div>
      <p>
        Removes {counted(removed, "tool")}; each list is about {tokens.toLocaleString("en")} tokens shorter. Keeps{" "}
        {same.toLocaleString("en")} of {counted(calls, "call")}
        {notJudged > 0 && `; ${notJudged.toLocaleString("en")} not evaluated`}.
      </p>
      {dropped.includes(DEFAULT_GROUP) && (
        <p className="text-warn">
          A session that names no groups requests only <code>default</code>: this policy would then give it no tools.
        </p>
      )}
      {exceptions.length > 0 && (
        <ul aria-label="Exceptions" className="list-disc pl-5 text-warn">
          {exceptions.map(({ who, tool, calls: count, change, reason }) => (
            <li key={`${who} ${tool} ${change}`}>
              {who}: {counted(count, "call")} of <code>{tool}</code>{" "}
              {change === "refused" ? `would be refused: ${reasonInWords(reason)}` : "would be allowed"}
            </li>
          ))}
          {moreExceptions > 0 && <li>and {moreExceptions.toLocaleString("en")} more</li>}
        </ul>
      )}
    </div>
  );
}

function titleOf({ kind, dropped, groups }: CandidateOutput): string {
  if (kind === "drop_groups") return `Stop granting ${inCode(dropped)}`;
  if (kind === "exclude_tools") return `Exclude the unused tools from ${inCode(groups)}`;
  if (kind === "rest_on_request") return `Grant only the tools in use, and the rest on request: ${inCode(groups)}`;
  return `Grant only a new group of the tools in use: ${inCode(groups)}`;
}

/** The document of a candidate, its impact and warnings, and a button that saves it. */
function DraftDialog({ draft, onClose }: { draft: CandidateDraft; onClose: () => void }) {
  const document = { text: draft.document, mode: "merge" } as const;
  const plan = useDraftPlan(document);
  const warnings = plan.data?.warnings ?? [];
  const save = useApply({
    note: "smaller grant",
    done: { title: "Saved the smaller grant", description: "The smaller grant applies from the next call." },
    onApplied: onClose,
  });
  return (
    <ActionDialog
      size="lg"
      title="Draft of a smaller grant"
      description="Nothing is saved yet."
      action={warnings.length === 0 ? "Save changes" : "Save anyway"}
      pending={save.isPending}
      disabled={!plan.isSuccess}
      error={save.error?.message ?? plan.error?.message}
      onAct={() => save.mutate({ ...document, basis: draft.revision })}
      onClose={onClose}
    >
      <Sentences sentences={draft.sentences.map((text) => ({ sign: text.startsWith("creates") ? "+" : "~", text }))} />
      {draft.assertion === null && (
        <p className="text-sm text-muted">This creates no assertion, because no caller's claims are known.</p>
      )}
      <PlanWarnings title="Warnings before you save:" warnings={warnings} />
      <Impact
        change={{ resource: "document", config: document.text, mode: document.mode }}
        label="Impact of the smaller grant"
      />
    </ActionDialog>
  );
}
