import type { StoppedCall, Stops, WindowLimit } from "@/lib/access/impact/stops";
import type { ConfigDocument } from "@/lib/config/document";
import type { ImpactInput } from "@/lib/contracts/decisions/impact";
import { agentInput } from "@/lib/resources/agent";
import type { CallLimits } from "@/lib/resources/parts/limits";
import { settingsInput } from "@/lib/resources/settings";
import { toolInput } from "@/lib/resources/tool";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";

/** The rows that approvals and limits come from. */
interface StopRows {
  readonly tools: ReadonlyMap<string, Pick<Tool, "requiresApproval" | "hasSideEffects" | "limits">>;
  readonly agents: ReadonlyMap<string, { readonly limits: CallLimits }>;
  readonly sideEffects: boolean;
}

type Tool = ReturnType<typeof toolInput.parse>;

/** The approvals and limits in force. */
export function stopsIn({ tools, agents, settings }: Pick<Snapshot, "tools" | "agents" | "settings">): StopRows {
  return { tools, agents, sideEffects: settings.approvals.sideEffects };
}

/** The approvals and limits after a change of one row, of the settings, or of a document. A draft that is not valid changes none. */
export function stopsAfter(
  rows: StopRows,
  { resource, input }: ImpactInput,
  document: ConfigDocument | null,
): StopRows {
  if (document !== null) return overlaid(rows, document);
  if (input === undefined) return rows;
  if (resource === "settings") return overlaid(rows, { settings: settingsInput.safeParse(input).data });
  if (resource === "tools") return overlaid(rows, { tools: listed(toolInput.safeParse(input).data) });
  if (resource === "agents") return overlaid(rows, { agents: listed(agentInput.safeParse(input).data) });
  return rows;
}

function listed<T>(row: T | undefined): T[] {
  return row === undefined ? [] : [row];
}

type Changed = { readonly [S in "tools" | "agents" | "settings"]?: ConfigDocument[S] | undefined };

function overlaid(rows: StopRows, { tools = [], agents = [], settings }: Changed): StopRows {
  return {
    tools: new Map([...rows.tools, ...tools.map((tool) => [tool.id, tool] as const)]),
    agents: new Map([...rows.agents, ...agents.map((agent) => [agent.name, agent] as const)]),
    sideEffects: settings?.approvals.sideEffects ?? rows.sideEffects,
  };
}

/** The same as questions about one call (docs/reference/execution.md#limits). Concurrency is left out: the log has no overlaps. */
export function toStops({ tools, agents, sideEffects }: StopRows): Stops {
  return {
    needsApproval: (toolId) => {
      const tool = tools.get(toolId);
      return tool !== undefined && (tool.requiresApproval || (tool.hasSideEffects && sideEffects));
    },
    limitsOf: ({ toolId, issuer, subject, agent }: StoppedCall) => {
      const tool = tools.get(toolId)?.limits;
      const own = agent === null ? undefined : agents.get(agent)?.limits;
      return [
        ...windowsOf("tool", [toolId], tool),
        ...windowsOf("caller_and_tool", [toolId, issuer, subject], tool?.perCaller),
        ...windowsOf("agent", [agent ?? ""], own),
      ];
    },
  };
}

const DAY_SECONDS = 86_400;

function windowsOf(of: string, whose: readonly string[], limits: CallLimits | undefined): readonly WindowLimit[] {
  const { rate = null, perDay = null } = limits ?? {};
  const key = (limit: string) => JSON.stringify([limit, of, ...whose]);
  return [
    ...(rate === null ? [] : [{ key: key("rate"), cap: rate.points, seconds: rate.seconds, reason: `rate of ${of}` }]),
    ...(perDay === null
      ? []
      : [{ key: key("per_day"), cap: perDay, seconds: DAY_SECONDS, reason: `per_day of ${of}` }]),
  ];
}
