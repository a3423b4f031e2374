import { useQueries, useQuery } from "@tanstack/react-query";
import { agentToolsQuery } from "@/components/agents/use-agent-tools";
import { HomeCard } from "@/components/agents/home-card";
import { NoTools } from "@/components/agents/no-tools";
import { stateInWords } from "@/components/executions/state-words";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { GrantedAccess } from "@/components/requests/granted-access";
import { useRow } from "@/components/resource/use-row";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";
import { DEFAULT_GROUP } from "@/lib/access/model/configuration";
import { isStateHeld } from "@/lib/access/model/request";
import type { Row } from "@/lib/resources";

/** Tools and states that are named before the rest are counted. */
const NAMED = 8;
const MAX_STATES = 12;

/** The tools that an agent sees: in each state of its machine, or at once without a machine. */
export function AgentTools({ row }: { row: Row<"agents"> }) {
  const { name, machine, enabled } = row;
  const preview = `/admin/preview?${new URLSearchParams({ agent: name })}`;
  const title = enabled ? "Tools it sees" : "Tools it sees when enabled";
  return (
    <HomeCard title={title} href={preview} link="Preview as this agent">
      {machine === null ? <ByState row={row} states={[null]} /> : <OfMachine row={row} machine={machine} />}
      <GrantedAccess to={{ asker: name }} />
    </HomeCard>
  );
}

function OfMachine({ row, machine }: { row: Row<"agents">; machine: string }) {
  return (
    <WhenLoaded of={useRow("machines", machine)} skeleton="h-24">
      {({ states }) => <ByState row={row} states={states.slice(0, MAX_STATES).map((state) => state.name)} />}
    </WhenLoaded>
  );
}

function ByState({ row, states }: { row: Row<"agents">; states: readonly (string | null)[] }) {
  const answers = useQueries({ queries: states.map((state) => agentToolsQuery(row.name, state)) });
  if (answers.every(({ data }) => data?.tools.length === 0)) {
    const hidden = answers.flatMap(({ data }) => data?.hidden ?? []);
    return <NoTools row={row} reasons={new Set(hidden.map(({ reason }) => reason))} />;
  }
  return (
    <>
      <ul className="flex flex-col gap-3">
        {answers.map(({ data, error }, index) => (
          <li key={states[index] ?? ""} className="flex flex-col gap-1 text-sm">
            {error !== null ? (
              <span className="text-deny">{error.message}</span>
            ) : data === undefined ? (
              <Skeleton className="h-10" />
            ) : (
              <Tools agent={row.name} answer={data} />
            )}
          </li>
        ))}
      </ul>
      {isStateHeld(row, row.machine) && (
        <WithoutGroup agent={row.name} state={states[0] ?? null} all={answers[0]?.data} />
      )}
    </>
  );
}

/** What a session gets whose creator named no groups, for an agent that must have one. */
function WithoutGroup({ agent, state, all }: { agent: string; state: string | null; all: PreviewOutput | undefined }) {
  const { data } = useQuery(agentToolsQuery(agent, state, [DEFAULT_GROUP]));
  if (all === undefined || data === undefined || data.tools.length === all.tools.length) return null;
  return (
    <p className="text-xs text-pretty text-muted">
      This agent must use sessions. One that is created with <Code>{'"group": ["*"]'}</Code> sees all of these. Without{" "}
      <Code>group</Code> it sees only those of the group <Code>default</Code>: {data.tools.length.toLocaleString("en")}{" "}
      of {all.tools.length.toLocaleString("en")}
      {all.machine !== null && " at the start"}.
    </p>
  );
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-ink">{children}</code>;
}

function Tools({ agent, answer: { tools, state, machine } }: { agent: string; answer: PreviewOutput }) {
  const shown = tools.length > NAMED + 1 ? NAMED : tools.length;
  const preview = `/admin/preview?${new URLSearchParams({ agent, ...(machine !== null && state !== null && { state }) })}`;
  return (
    <>
      <span>
        <span className="font-semibold tabular-nums">{tools.length.toLocaleString("en")}</span>{" "}
        {tools.length === 1 ? "tool" : "tools"}
        {machine !== null && <span className="text-muted"> in the state {stateInWords(state, machine)}</span>}
      </span>
      <span className="flex flex-wrap gap-x-3 gap-y-1">
        {tools.slice(0, shown).map(({ toolId }) => (
          <TextLink key={toolId} href={`/admin/tools/${encodeURIComponent(toolId)}`} className="font-mono text-xs">
            {toolId}
          </TextLink>
        ))}
        {tools.length > shown && (
          <TextLink href={preview} className="text-xs">
            and {tools.length - shown} more
          </TextLink>
        )}
      </span>
    </>
  );
}
