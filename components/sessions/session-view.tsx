import { CallList } from "@/components/agents/latest";
import { CallerName } from "@/components/agents/caller-name";
import { machineStateInWords, stateInWords } from "@/components/executions/state-words";
import { Section } from "@/components/preview/results/explanation";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { Peek } from "@/components/resource/peek";
import { ObjectHeading } from "@/components/resource/object-heading";
import { adminPath } from "@/components/resource/request";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { LifeBadge, ModeBadge } from "@/components/sessions/session-words";
import { Badge } from "@/components/ui/badge";
import { Json } from "@/components/ui/json/json";
import { LinkButton } from "@/components/ui/link-button";
import { Fact, Facts } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { HeldLabels, LabelHistory } from "@/components/views/flow/held-labels";
import type { SessionDetail } from "@/lib/contracts/log/session";
import { useGet } from "@/components/resource/use-get";

function headingOf({ agent, subject }: SessionDetail): string {
  return `Session of ${agent ?? subject}`;
}

export function SessionPage({ id }: { id: string }) {
  return (
    <WhenLoaded page of={useSession(id)} skeleton="m-5 h-64">
      {(session) => (
        <DetailLayout label="Session" asideLabel="Details" aside={<SessionFacts session={session} />}>
          <ObjectHeading
            title={headingOf(session)}
            copy={{ text: id, what: "session id" }}
            path={`sessions/${encodeURIComponent(id)}`}
            value={session}
          />
          <Trail id={id} />
          <SessionTexts session={session} />
        </DetailLayout>
      )}
    </WhenLoaded>
  );
}

/** One session in a peek panel over the list. */
export function SessionPeek({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useSession(id);
  return (
    <Peek
      id={id}
      title={found.data === undefined ? id : headingOf(found.data)}
      description="session"
      href={`/admin/sessions/${id}`}
      onClose={onClose}
    >
      <WhenLoaded of={found} skeleton="h-64">
        {(session) => (
          <div className="flex flex-col gap-6">
            <SessionFacts session={session} />
            <Trail id={id} />
            <SessionTexts session={session} />
          </div>
        )}
      </WhenLoaded>
    </Peek>
  );
}

function SessionFacts({ session }: { session: SessionDetail }) {
  const { id, group, profile, intent, confidence } = session;
  return (
    <Facts>
      <Fact label="Caller">
        <CallerName caller={session} />
      </Fact>
      <Fact label="Status">
        <Life session={session} />
      </Fact>
      <Fact label="Calls">
        <span className="flex flex-wrap items-center gap-2 tabular-nums">
          {session.calls.toLocaleString("en")}
          <LinkButton size="sm" href={`/admin/executions?session=${encodeURIComponent(id)}`}>
            View calls
          </LinkButton>
        </span>
      </Fact>
      <Fact label="Groups">{group.length === 0 ? "none requested" : group.map(groupInWords).join(", ")}</Fact>
      <Fact label="State">
        <State session={session} />
      </Fact>
      <Fact label="Profile">{profile ?? <span className="text-muted">the profile of the agent</span>}</Fact>
      <Fact label="Intent">
        {intent === null ? (
          <span className="text-muted">none</span>
        ) : (
          <>
            {intent} <span className="text-muted">at confidence {confidence ?? "not stated: 0"}</span>
          </>
        )}
      </Fact>
      <Fact label="Routing">
        <Routing session={session} />
      </Fact>
      <Fact label="Labels held">
        <HeldLabels by="session" id={id} />
      </Fact>
    </Facts>
  );
}

/** What happened in the session: its latest calls with their states, and the labels that calls raised. */
function Trail({ id }: { id: string }) {
  return (
    <>
      <Section title="Last calls">
        <CallList filters={{ session: id, limit: "20" }} />
      </Section>
      <Section title="Labels by call">
        <LabelHistory session={id} />
      </Section>
    </>
  );
}

function Life({ session: { live, createdAt, lastUsedAt, expiresAt } }: { session: SessionDetail }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <LifeBadge live={live} />
      <span className="text-muted">
        started <Time at={createdAt} />, last used <Time at={lastUsedAt} />, {live ? "expires" : "expired"}{" "}
        <Time at={expiresAt} />
      </span>
    </span>
  );
}

function State({ session: { state, machine } }: { session: SessionDetail }) {
  if (machine === null) return machineStateInWords(machine, state);
  return (
    <>
      {stateInWords(state, machine)}
      <span className="text-muted">
        {" "}
        of <TextLink href={`/admin/machines/${machine}`}>{machine}</TextLink>
      </span>
    </>
  );
}

function Routing({ session: { mode, escalated, tier } }: { session: SessionDetail }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <ModeBadge mode={mode} />
      {escalated && <Badge tone="warn">escalated</Badge>}
      <span className="text-muted">
        {tier === null ? "keeps every tool" : tier.length === 0 ? "keeps no tool" : `keeps ${tier.join(", ")}`}
      </span>
    </span>
  );
}

/** The texts that the agent sent about its run. They affect nothing and are for later reading. */
function SessionTexts({ session: { bodiesHidden, question, history, metadata } }: { session: SessionDetail }) {
  if (bodiesHidden)
    return (
      <p className="rounded-md bg-panel px-3 py-2 text-sm text-muted">
        Question, history and metadata are visible to administrators and auditors.
      </p>
    );
  return (
    <>
      <Section title="Question">
        {question === null ? (
          <p className="text-sm text-muted">The agent sent none</p>
        ) : (
          <p className="text-sm break-words whitespace-pre-wrap">{question}</p>
        )}
      </Section>
      <Section title="Conversation">
        <SessionSteps steps={history ?? []} />
      </Section>
      {metadata !== null && Object.keys(metadata).length > 0 && (
        <Section title="Metadata">
          <Json value={metadata} label="metadata" />
        </Section>
      )}
    </>
  );
}

function groupInWords(group: string): string {
  return group === "*" ? "all granted groups" : group;
}

/** One session, with the agent's texts if the role may read them. */
function useSession(id: string) {
  return useGet<SessionDetail>(["sessions", "row", id], adminPath("sessions", id), {
    // The server logs every read of these texts, so do not refetch on focus.
    refetchOnWindowFocus: false,
  });
}

/** The steps that an agent sent when it opened its session, first to last. */
function SessionSteps({ steps }: { steps: NonNullable<SessionDetail["history"]> }) {
  if (steps.length === 0) return <p className="text-sm text-muted">The agent sent none</p>;
  return (
    <ol className="flex flex-col gap-3">
      {steps.map((step, index) => (
        <li key={index} className="flex flex-col gap-1.5 rounded-lg border border-line px-3 py-2 text-sm">
          <p className="flex flex-wrap items-baseline gap-2">
            <span className="text-faint tabular-nums">{index + 1}</span>
            <span className="font-mono text-xs font-medium">{step.action}</span>
            {step.state !== undefined && <span className="text-muted">in {step.state}</span>}
          </p>
          {step.thought !== undefined && <p className="break-words whitespace-pre-wrap text-muted">{step.thought}</p>}
          {step.arguments !== undefined && <Json value={step.arguments} label={`arguments of step ${index + 1}`} />}
          {step.observation !== undefined && (
            <Json value={step.observation} label={`observation of step ${index + 1}`} />
          )}
        </li>
      ))}
    </ol>
  );
}
