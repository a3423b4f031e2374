import { ArrowRight, Check, CircleSlash, X } from "lucide-react";
import { MEMBERSHIP_WORDS } from "@/components/views/membership-words";
import { RaisedLabels } from "@/components/executions/raised-labels";
import { OpenAccess } from "@/components/requests/open-access";
import { PolicyTraces } from "@/components/preview/results/policy-traces";
import { REASON_WORDS, STEP_WORDS } from "@/lib/contracts/decisions/reason-words";
import { RuleLink } from "@/components/preview/results/rule-link";
import { StatePath } from "@/components/preview/results/state-path";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { lazyPart } from "@/components/ui/lazy-part";
import { LinkButton } from "@/components/ui/link-button";
import { WithCode } from "@/components/ui/json/with-code";
import { policiesOf } from "@/lib/contracts/decisions/named-policies";
import type { ExplanationOutput, PreviewOutput } from "@/lib/contracts/decisions/preview";

const Grants = lazyPart(async () => (await import("@/components/denials/grants")).Grants);

interface ExplanationProps {
  explanation: ExplanationOutput;
  /** The answer that contains the explanation. */
  answer: Pick<PreviewOutput, "trace" | "tools" | "grants" | "revision" | "raisedBy" | "machine" | "claims">;
}

/** Why one tool is visible or hidden: every step, the deciding rule, and the smallest change that would reverse it. */
export function ExplanationView({
  explanation,
  answer: { trace, tools, grants = [], revision, raisedBy, machine, claims },
}: ExplanationProps) {
  const { conditions = [] } = tools.find(({ toolId }) => toolId === explanation.toolId) ?? {};
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-2">
        <ToolHeading toolId={explanation.toolId} />
        <Verdict explanation={explanation} />
        {explanation.needsApproval && (
          <p className="text-sm text-warn">
            {explanation.visible ? "A call waits" : "Once the tool is visible, a call waits"} under Approvals until a
            person answers.
          </p>
        )}
        <WayOut explanation={explanation} raisedBy={raisedBy} machine={machine} />
      </div>
      {conditions.length > 0 && <Conditions texts={conditions} />}
      <Section title="Policies">
        <PolicyTraces trace={trace} relevant={policiesOf(explanation)} />
      </Section>
      {!explanation.visible && <OpenAccess explanation={explanation} claims={claims} />}
      {explanation.fix !== null && <SmallestChange fix={explanation.fix} />}
      {!explanation.visible && grants.length > 0 && (
        <Grants
          title="Or grant it with a new policy"
          grants={grants}
          revision={revision}
          needsApproval={explanation.needsApproval}
        />
      )}
      <Section title="Steps">
        <ol className="flex flex-col">
          {explanation.steps.map((step) => (
            <StepLine key={step.step} step={step} decided={step.step === explanation.decidedBy} />
          ))}
        </ol>
      </Section>
      {explanation.via.length > 0 && (
        <Section title="Granted through">
          <ul className="flex flex-col gap-1.5 text-sm">
            {explanation.via.map((via) => (
              <li key={via.group} className="flex flex-wrap items-center gap-1">
                <RuleLink rule={{ kind: "group", name: via.group }} />
                <span className="text-xs text-faint">
                  {via.how.map((how) => MEMBERSHIP_WORDS[how]).join(", ")} · granted by
                </span>
                {via.policies.map((name) => (
                  <RuleLink key={name} rule={{ kind: "policy", name }} />
                ))}
              </li>
            ))}
          </ul>
          <GrantsToRemove grants={explanation.grantsToRemove} />
        </Section>
      )}
    </div>
  );
}

function ToolHeading({ toolId }: { toolId: string }) {
  return (
    <div className="flex items-center gap-1">
      <h2 className="min-w-0 truncate font-mono text-sm font-semibold">{toolId}</h2>
      <CopyButton text={toolId} label="Copy id" />
      <LinkButton size="sm" variant="ghost" href={`/admin/tools/${encodeURIComponent(toolId)}`} className="ml-auto">
        Open tool
      </LinkButton>
    </div>
  );
}

function Verdict({ explanation }: { explanation: ExplanationOutput }) {
  if (explanation.visible)
    return (
      <p className="flex items-center gap-1.5 text-sm">
        <Badge tone={explanation.callable ? "allow" : "warn"}>
          {explanation.callable ? "Visible" : "Visible, not callable"}
        </Badge>
        <span className="text-muted">passes every step</span>
      </p>
    );
  return (
    <p className="flex flex-wrap items-center gap-1.5 text-sm">
      <Badge tone="deny">Hidden</Badge>
      {explanation.reason !== null && (
        <>
          <span>{REASON_WORDS[explanation.reason]}</span>
          <code className="font-mono text-xs text-faint">{explanation.reason}</code>
        </>
      )}
    </p>
  );
}

interface WayOutProps extends Pick<PreviewOutput, "raisedBy" | "machine"> {
  explanation: ExplanationOutput;
}

/** For a tool that the run hides: the calls that raised labels, or the calls that lead to a state that allows the tool. */
function WayOut({ explanation: { reason, statePath }, raisedBy, machine }: WayOutProps) {
  if (reason === "flow_restricted" && raisedBy.length > 0) return <RaisedLabels raisedBy={raisedBy} />;
  if (statePath !== null) return <StatePath path={statePath} machine={machine} />;
  return null;
}

/** Argument conditions of a visible tool. */
function Conditions({ texts }: { texts: readonly string[] }) {
  return (
    <div className="flex flex-col gap-1 rounded-md border border-line bg-panel px-3 py-2.5">
      <h3 className="text-xs font-medium text-muted">Calls are allowed for some arguments only</h3>
      <ul className="flex flex-col gap-1 text-sm">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

/** The grants whose removal would hide a visible tool. A single grant is a sentence, because it is shown above. */
function GrantsToRemove({ grants }: { grants: ExplanationOutput["grantsToRemove"] }) {
  if (grants.length === 0) return null;
  if (grants.length === 1)
    return <p className="text-xs text-muted">This is the only grant. Without it, the tool is hidden.</p>;
  return (
    <div className="flex flex-col gap-1 text-xs text-muted">
      <p>Each of these grants makes the tool visible. To hide it, remove all of them:</p>
      <ul className="flex flex-col gap-0.5">
        {grants.map(({ policy, group }) => (
          <li key={`${policy} ${group}`} className="flex flex-wrap items-center gap-1">
            <RuleLink rule={{ kind: "policy", name: policy }} />
            <ArrowRight aria-label="grants" className="size-3 text-faint" />
            <RuleLink rule={{ kind: "group", name: group }} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where the page of a rule grants capabilities. */
const GRANTS_CAPABILITIES: Readonly<Partial<Record<string, string>>> = {
  persona: "?field=capabilities",
  agent: "?tab=settings&field=persona",
};

/** The changes that would show a hidden tool, each linked to its rule. */
export function SmallestChange({ fix }: { fix: NonNullable<ExplanationOutput["fix"]> }) {
  return (
    <section
      aria-label="Smallest change"
      className="flex flex-col gap-1.5 rounded-md border border-line bg-panel px-3 py-2.5"
    >
      <h3 className="text-xs font-medium text-muted">
        Smallest change that would show it{fix.size > 1 ? `: ${fix.size} changes together` : ""}
      </h3>
      <ul className="flex flex-col gap-1">
        {fix.changes.map((change) => (
          <li key={`${change.kind} ${change.text}`} className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <WithCode as="span" text={change.text} />
            {change.refs.map((rule) => (
              <RuleLink
                key={`${rule.kind} ${rule.name}`}
                rule={rule}
                at={change.kind === "capability" ? GRANTS_CAPABILITIES[rule.kind] : undefined}
              />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function StepLine({ step, decided }: { step: ExplanationOutput["steps"][number]; decided: boolean }) {
  const [Icon, label, tone] = step.passed
    ? [Check, "passed", "text-allow"]
    : decided
      ? [CircleSlash, "decided here", "text-deny"]
      : [X, "would also fail", "text-warn"];
  return (
    <li className="grid grid-cols-[1.25rem_6.5rem_1fr] gap-x-1 border-b border-line py-1.5 text-sm last:border-0">
      <Icon aria-label={label} className={cn("mt-0.5 size-3.5", tone)} />
      <span className={decided ? "font-medium" : "text-muted"}>{STEP_WORDS[step.step]}</span>
      <span className="flex min-w-0 flex-col gap-0.5">
        <WithCode as="span" className={step.passed ? "text-muted" : ""} text={step.detail} />
        {step.refs.length > 0 && (
          <span className="flex flex-wrap gap-x-2">
            {step.refs.map((rule) => (
              <RuleLink key={`${rule.kind} ${rule.name}`} rule={rule} />
            ))}
          </span>
        )}
      </span>
    </li>
  );
}

/** A titled part of the explanation. */
export function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-xs font-medium text-muted">{title}</h2>
      {children}
    </section>
  );
}
