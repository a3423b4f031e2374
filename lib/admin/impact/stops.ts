import type { CountedCall, Stops } from "@/lib/access/impact/stops";
import type { ConfigDocument } from "@/lib/config/document";
import type { DraftedSection } from "@/lib/config/draft";
import type { ImpactInput } from "@/lib/contracts/decisions/impact";
import { agentInput } from "@/lib/resources/agent";
import { limitsOn, type CallLimits } from "@/lib/resources/parts/limits";
import { settingsInput } from "@/lib/resources/settings";
import { toolInput, toolNeedsApproval } from "@/lib/resources/tool";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";

/** The rows that approvals and limits come from. */
export interface StopRows {
  readonly toolOf: (id: string) => Pick<Tool, "requiresApproval" | "hasSideEffects" | "limits"> | undefined;
  readonly agentOf: (name: string) => { readonly limits: CallLimits } | undefined;
  readonly sideEffects: boolean;
}

type Tool = ReturnType<typeof toolInput.parse>;
type Agent = ReturnType<typeof agentInput.parse>;

/** The approvals and limits in force. */
export function stopsIn({ tools, agents, settings }: Pick<Snapshot, "tools" | "agents" | "settings">): StopRows {
  return {
    toolOf: (id) => tools.get(id),
    agentOf: (name) => agents.get(name),
    sideEffects: settings.approvals.sideEffects,
  };
}

/** The approvals and limits after a change of one row, of the settings, or of a document. A draft that is not valid changes none. */
export function stopsAfter(
  rows: StopRows,
  { resource, input }: Pick<ImpactInput, "resource" | "input">,
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
  const [newTools, newAgents] = [
    new Map(tools.map((tool) => [tool.id, tool])),
    new Map(agents.map((agent) => [agent.name, agent])),
  ];
  return {
    toolOf: (id) => newTools.get(id) ?? rows.toolOf(id),
    agentOf: (name) => newAgents.get(name) ?? rows.agentOf(name),
    sideEffects: settings?.approvals.sideEffects ?? rows.sideEffects,
  };
}

/** The approvals and limits after changes of many valid rows of one section; `null` deletes a row. */
export function stopsAfterRows(
  rows: StopRows,
  section: DraftedSection,
  changed: ReadonlyMap<string, object | null>,
): StopRows {
  const saved = [...changed.values()].filter((row) => row !== null);
  if (section === "tools") return overlaid(rows, { tools: saved as Tool[] });
  if (section === "agents") return overlaid(rows, { agents: saved as Agent[] });
  return rows;
}

/** The approvals and limits after changes of stored rows of any kind. */
export function stopsAfterChanges(
  rows: StopRows,
  changes: readonly { readonly resource: string; readonly after: object | null }[],
): StopRows {
  const saved = (resource: string) =>
    changes.flatMap((change) => (change.resource === resource && change.after !== null ? [change.after] : []));
  const [settings] = saved("settings") as { readonly value: object }[];
  return overlaid(rows, {
    tools: saved("tools") as Tool[],
    agents: saved("agents") as Agent[],
    settings: settings === undefined ? undefined : settingsInput.safeParse(settings.value).data,
  });
}

/** Approvals and limits as questions about one call. */
export function toStops({ toolOf, agentOf, sideEffects }: StopRows): Stops {
  return {
    needsApproval: (toolId) => {
      const tool = toolOf(toolId);
      return tool !== undefined && toolNeedsApproval(tool, sideEffects);
    },
    limitsOf: (call: CountedCall) =>
      limitsOn(call, toolOf(call.toolId)?.limits, agentOf(call.agent ?? "")?.limits).map(
        ({ of, limit, whom, cap, seconds, reason }) => ({
          key: JSON.stringify([limit, of, ...whom]),
          cap,
          seconds,
          reason,
        }),
      ),
  };
}
