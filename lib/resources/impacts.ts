import type { Tool } from "@/lib/access/model/configuration";
import type { ResourceName } from "@/lib/resources/kinds";
import type { ConfigSection } from "@/lib/resources/sections";

/** A row whose effect pages measure before it is saved: of the configuration document, or the settings. */
export type MeasuredRow = ConfigSection | "settings";
/** What the effect of an unsaved row is measured on: the tools of callers, or past calls replayed under the flow rules. */
type Measured = "callers" | "calls";

/**
 * How pages measure an unsaved row of each kind. Flow rules and labels change a caller's tools only after a call, so they
 * are measured on past calls alone.
 */
const IMPACTS = {
  sources: ["callers"],
  tools: ["callers", "calls"],
  groups: ["callers"],
  policies: ["callers"],
  machines: ["callers"],
  personas: ["callers"],
  intents: ["callers"],
  labels: ["calls"],
  flows: ["calls"],
  issuers: ["callers"],
  agents: ["callers"],
  assertions: [],
  settings: ["callers"],
} as const satisfies Record<MeasuredRow, readonly Measured[]>;

type MeasuredOn<M extends Measured> = {
  [Row in MeasuredRow]: M extends (typeof IMPACTS)[Row][number] ? Row : never;
}[MeasuredRow];

/** A kind of row that is measured on callers. */
export type OnCallers = MeasuredOn<"callers">;
/** A kind of row that is measured on past calls. */
export type OnCalls = MeasuredOn<"calls">;

/** The kinds of rows that are measured on past calls. */
export const ON_CALLS: readonly OnCalls[] = (Object.keys(IMPACTS) as MeasuredRow[]).filter(isMeasuredOnCalls);

/** Whether an unsaved row is measured on the tools of callers. */
export function isMeasuredOnCallers(resource: ResourceName | "settings"): resource is OnCallers {
  return isMeasuredOn(resource, "callers");
}

/** Whether an unsaved row is measured on past calls. */
export function isMeasuredOnCalls(resource: ResourceName | "settings"): resource is OnCalls {
  return isMeasuredOn(resource, "calls");
}

/** The fields of a tool that say what its calls raise and what flow rules restrict. */
const FLOW_FIELDS: readonly string[] = ["flow", "flowGuess"] satisfies (keyof Tool)[];

/** Whether changes of these fields are measured on past calls. Most changes of a tool leave flow rules alone. */
export function isFlowChanged(resource: OnCalls, fields: readonly string[]): boolean {
  return resource !== "tools" || fields.some((field) => FLOW_FIELDS.includes(field));
}

function isMeasuredOn(resource: ResourceName | "settings", measured: Measured): boolean {
  const impacts: Partial<Record<ResourceName | "settings", readonly Measured[]>> = IMPACTS;
  return impacts[resource]?.includes(measured) === true;
}
