import { Fragment } from "react";
import { AgentLimits, ToolLimits } from "@/components/denials/present-limits";
import { OpenAccess } from "@/components/requests/open-access";
import { RuleLink, ruleHref } from "@/components/preview/results/rule-link";
import { hrefOf } from "@/components/resource/view";
import { useCan } from "@/components/resource/who";
import { LinkButton } from "@/components/ui/link-button";
import { TextLink } from "@/components/ui/text-link";
import { HeldItems } from "@/components/views/flow/held-labels";
import { PolicyConditions } from "@/components/views/policy-conditions";
import { grantBehind } from "@/lib/access/model/access-names";
import type { DenialDetail } from "@/lib/contracts/decisions/denial";

interface ArgumentConditionsProps {
  conditions: DenialDetail["today"]["conditions"];
  /** The latest refused call. */
  callId: string;
}

/** The policies whose conditions the arguments of a call must satisfy, and the latest call for who may read arguments. */
export function ArgumentConditions({ conditions, callId }: ArgumentConditionsProps) {
  const mayReadArguments = useCan("executions:bodies");
  return (
    <section aria-label="Cause" className="flex flex-col gap-2 rounded-lg border border-line p-4 text-sm">
      <h2 className="font-semibold">The arguments decide</h2>
      <ul className="flex flex-col gap-2">
        {conditions.map(({ policy, text }) => (
          <li key={policy}>
            <RuleLink rule={{ kind: "policy", name: policy }} />
            <p className="text-muted">{text}</p>
            {grantBehind(policy) === null && (
              <>
                <p className="empty:hidden">
                  <PolicyConditions policy={policy} />
                </p>
                <LinkButton size="sm" href={`${hrefOf("policies", policy)}?field=arguments`} className="mt-1">
                  Open argument conditions
                </LinkButton>
              </>
            )}
          </li>
        ))}
      </ul>
      <p>
        To allow other arguments, change the argument conditions of{" "}
        {conditions.length === 1 ? "this policy" : "one of these policies"}.
        {mayReadArguments && (
          <>
            {" "}
            <TextLink href={`/admin/executions/${encodeURIComponent(callId)}`}>View the latest call</TextLink>
          </>
        )}
      </p>
    </section>
  );
}

/** What granting a request does not change. */
const WRONG_STATE = [{ step: "state", passed: false, reason: null, detail: "", refs: [] }] as const;

/** The request policies that offer the tool, and the caller's open request. Granting it is less than a new policy. */
export function OnRequest({ denial: { tool, issuer, subject, today } }: { denial: DenialDetail }) {
  const { offers, reason, statePath } = today;
  return (
    <section aria-label="Cause" className="flex flex-col gap-2 rounded-lg border border-line p-4 text-sm">
      <h2 className="font-semibold">The caller may request access</h2>
      <p>
        A person can grant this tool to this caller for some hours, under{" "}
        {offers.map((name, place) => (
          <Fragment key={name}>
            {place > 0 && " or "}
            <RuleLink rule={{ kind: "policy", name }} />
          </Fragment>
        ))}
        . The agent requests it{statePath !== null && " in a state that allows the tool"}.
      </p>
      <OpenAccess
        explanation={{ toolId: tool, reason, steps: statePath === null ? [] : WRONG_STATE }}
        claims={{ iss: issuer, sub: subject }}
      />
    </section>
  );
}

/** Where a tool's page sets the cause. */
const OF_TOOL = { limit: "?tab=limits", approval: "?tab=approval" } as const;
const OF_AGENT = "?tab=settings&field=limits";

/** The limit or the approval that refused the calls, with a link to where it is set. */
export function Cause({ cause: { kind, rule } }: { cause: NonNullable<DenialDetail["cause"]> }) {
  return (
    <section aria-label="Cause" className="flex flex-col gap-1 rounded-lg border border-line p-4 text-sm">
      <h2 className="font-semibold">{kind === "limit" ? "A limit was reached" : "No person approved the call"}</h2>
      {kind === "limit" && rule === null ? (
        <p className="text-muted">This limit is built in. The caller can call again after some of its calls end.</p>
      ) : (
        <p>
          {kind === "limit" ? "Change it under " : "Change which calls need approval under "}
          {rule?.kind === "settings" ? (
            <TextLink href="/admin/settings?field=approvals">General settings</TextLink>
          ) : (
            rule !== null && (
              <TextLink href={`${ruleHref(rule)}${rule.kind === "tool" ? OF_TOOL[kind] : OF_AGENT}`}>
                {kind === "limit" ? "Limits" : "Approval"} of {rule.name}
              </TextLink>
            )
          )}
          .
        </p>
      )}
      {kind === "limit" && rule?.kind === "tool" && <ToolLimits tool={rule.name} />}
      {kind === "limit" && rule?.kind === "agent" && <AgentLimits agent={rule.name} />}
    </section>
  );
}

interface HiddenByFlowProps {
  flow: NonNullable<DenialDetail["flow"]>;
  /** The call is not refused any more. */
  isOver: boolean;
}

/** The flow rules that hid the tool, and the labels that a person can clear. No grant helps, because rules only restrict. */
export function HiddenByFlow({ flow: { rules, held }, isOver }: HiddenByFlowProps) {
  return (
    <section aria-label="Cause" className="flex flex-col gap-3 rounded-lg border border-line p-4 text-sm">
      <div className="flex flex-col gap-1">
        <h2 className="font-semibold">
          {isOver ? "Was hidden" : "Hidden"} by {rules.length === 1 ? "a flow rule" : "flow rules"}
        </h2>
        <p>
          {isOver
            ? "Nothing to do. The rule is "
            : "A grant does not help. Clear a label that no longer applies, or change "}
          {rules.map((name, place) => (
            <Fragment key={name}>
              {place > 0 && ", "}
              <RuleLink rule={{ kind: "flow", name }} />
            </Fragment>
          ))}
          .
        </p>
      </div>
      <h3 className="text-xs text-muted">Labels of the rule that the caller holds now</h3>
      <HeldItems items={held} queryKey={["denials"]} />
    </section>
  );
}
