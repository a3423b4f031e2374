import { CallerName } from "@/components/agents/caller-name";
import { AnswerBar } from "@/components/approvals/answer-bar";
import { ApprovalArguments } from "@/components/approvals/approval-arguments";
import { ApprovalBadge, Countdown } from "@/components/approvals/approval-words";
import { useApproval } from "@/components/approvals/use-approvals";
import { CallResult } from "@/components/approvals/call-result";
import { Decision } from "@/components/executions/decision";
import { RaisedLabels } from "@/components/executions/raised-labels";
import { UNDEFINED_STATE } from "@/lib/access/model/configuration";
import { stateInWords } from "@/components/executions/state-words";
import { useExecution } from "@/components/executions/use-execution";
import { Section } from "@/components/preview/results/explanation";
import { RuleNames } from "@/components/preview/results/rule-link";
import { Peek } from "@/components/resource/peek";
import { ObjectHeading } from "@/components/resource/object-heading";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { useCan } from "@/components/resource/who";
import { LinkButton } from "@/components/ui/link-button";
import { Fact, Facts, TimeFact } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { ApprovalDetail } from "@/lib/contracts/log/approval";

/** The page of one approval: the call on the left, the reasons for its grant on the right. */
export function ApprovalPage({ id }: { id: string }) {
  return (
    <WhenLoaded page of={useApproval(id)} skeleton="m-5 h-96">
      {(approval) => (
        <DetailLayout label="Call" asideLabel="Decision" aside={<Trace approval={approval} />}>
          <ObjectHeading
            mono
            title={approval.toolId}
            badges={<ApprovalBadge status={approval.status} />}
            copy={{ text: id, what: "call id" }}
            path={`approvals/${encodeURIComponent(id)}`}
            value={approval}
          >
            <LinkButton size="sm" href={`/admin/executions/${encodeURIComponent(id)}`}>
              View call
            </LinkButton>
          </ObjectHeading>
          <CallAndAnswer approval={approval} />
        </DetailLayout>
      )}
    </WhenLoaded>
  );
}

/** The same approval in a peek panel over the list. */
export function ApprovalPeek({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useApproval(id);
  const href = `/admin/approvals/${encodeURIComponent(id)}`;
  return (
    <Peek id={id} title={found.data?.toolId ?? id} description="approval" href={href} onClose={onClose}>
      <WhenLoaded of={found} skeleton="h-64">
        {(approval) => (
          <div className="flex flex-col gap-6">
            <CallAndAnswer approval={approval} />
          </div>
        )}
      </WhenLoaded>
    </Peek>
  );
}

function CallAndAnswer({ approval }: { approval: ApprovalDetail }) {
  return (
    <>
      <AnswerBar approval={approval} />
      <CallResult approval={approval} />
      <RequestedCall approval={approval} />
    </>
  );
}

function RequestedCall({ approval }: { approval: ApprovalDetail }) {
  return (
    <>
      <WhoAndWhat approval={approval} />
      <Section title="Arguments">
        <ApprovalArguments approval={approval} />
      </Section>
    </>
  );
}

function WhoAndWhat({ approval }: { approval: ApprovalDetail }) {
  const { toolId, definitionChanged, policies, groups, state, session, revision, raisedBy } = approval;
  return (
    <Facts>
      <Fact label="Caller">
        <CallerName caller={approval} />
      </Fact>
      <Fact label="Tool">
        <TextLink href={`/admin/tools/${encodeURIComponent(toolId)}`} className="font-mono text-xs">
          {toolId}
        </TextLink>
        {definitionChanged && (
          <span className="block text-warn">
            The tool changed after the call. If you approve the call, Quartermaster refuses it.
          </span>
        )}
      </Fact>
      <TimeFact label="Requested" at={approval.at} />
      {approval.status === "waiting" ? (
        <Fact label="Expires">
          <Countdown until={approval.closesAt} />
        </Fact>
      ) : (
        <Fact label={approval.status === "expired" ? "Expired" : "Answered"}>
          <Time at={approval.closesAt} />
          {approval.decidedBy !== null && <span className="text-muted"> by {approval.decidedBy}</span>}
        </Fact>
      )}
      {approval.reason !== null && approval.reason !== "" && <Fact label="Reason">{approval.reason}</Fact>}
      <Fact label="Policies">
        <RuleNames kind="policy" names={policies} />
      </Fact>
      <Fact label="Groups">
        <RuleNames kind="group" names={groups} />
      </Fact>
      {raisedBy.length > 0 && (
        <Fact label="Labels held">
          <RaisedLabels raisedBy={raisedBy} />
          {approval.status === "waiting" && (
            <span className="text-muted">If the caller gets a further label, Quartermaster refuses the call.</span>
          )}
        </Fact>
      )}
      {state !== UNDEFINED_STATE && <Fact label="State">{stateInWords(state)}</Fact>}
      {session !== null && (
        <Fact label="Session">
          <TextLink href={`/admin/sessions/${session}`} className="font-mono text-xs">
            {session}
          </TextLink>
        </Fact>
      )}
      <Fact label="Revision">{revision}</Fact>
    </Facts>
  );
}

/** The decision step by step, for people who may see the caller's claims or approve the waiting call. */
function Trace({ approval: { id, status } }: { approval: ApprovalDetail }) {
  const mayApprove = useCan("calls:approve");
  const approving = status === "waiting" && mayApprove;
  return (
    <WhenLoaded of={useExecution(id)} skeleton="h-80">
      {(execution) => <Decision key={id} execution={execution} approving={approving} />}
    </WhenLoaded>
  );
}
