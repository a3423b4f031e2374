/**
 * The data that the resolver decides on: the whole configuration at one revision. `null` (not stated), `[]` (none) and
 * `["*"]` (all) stay different everywhere (docs/reference/decision.md).
 * A missing fact is `null`, never `undefined`, so that a value survives JSON, forms and the database unchanged.
 * Everything is readonly: every request shares one configuration, and a change creates a new one.
 */

import type { FlowFacts, FlowRule, Label } from "@/lib/access/model/flow";
import type { Matcher } from "@/lib/access/model/matcher";

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; `undefined` never appears as a value. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** `request`: grants nothing by itself. Matching callers may request its groups' tools from a person. */
export type Effect = "allow" | "deny" | "request";

/** Whether a rule decides (`enforce`), or only counts what it would change (`observe`). */
export type RuleMode = "enforce" | "observe";

/** Maps claims to groups granted, denied or requestable. */
export interface Policy {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  /** Orders evaluation and explanation; never changes the result. */
  readonly priority: number;
  readonly active: boolean;
  /** An observed policy changes no decision; absent = `enforce`. */
  readonly mode?: RuleMode;
  /** ISO 8601 instants; valid while `validFrom <= now < validUntil`. */
  readonly validFrom: string | null;
  readonly validUntil: string | null;
  /** All must hold (AND). Empty only together with `everyone: true`. */
  readonly matchers: readonly Matcher[];
  readonly everyone: boolean;
  /** Matchers over the call's arguments; they never change the list. */
  readonly arguments: readonly Matcher[];
  /** Group names, or `"*"`: every group plus the pseudo-group `(ungrouped)`. */
  readonly groups: readonly string[];
  /** Request policies only: the longest grant, in hours. */
  readonly maxHours?: number | null;
  /** Request policies only: people and roles that may answer. The resolver does not read it. */
  readonly approvers?: readonly string[] | null;
}

/**
 * A person's answer to an access request: one caller has one tool for a time. Outside the configuration document, but
 * part of the revision like any rule. It holds only while its request policy is active and still matches the caller.
 */
export interface AccessGrant {
  /** The id of the access request. */
  readonly id: string;
  /** The request policy that the grant rests on. */
  readonly policy: string;
  /** The tool's id. */
  readonly tool: string;
  /** The caller: `iss` and `sub` of its claims, and the OAuth client that its token names. */
  readonly issuer: string;
  readonly subject: string;
  readonly client: string | null;
  /** ISO 8601 instants; the grant applies while `from <= now < until`. */
  readonly from: string;
  readonly until: string;
}

/** A pattern over a tool's facts; every stated part must hold (AND). `null` or `""` = not checked. */
export interface Selector {
  readonly source: string | null;
  readonly name: string | null;
  readonly path: string | null;
  readonly method: string | null;
  /** The tool has all of these. */
  readonly requiredTags: readonly string[];
  /** The tool has none of these. */
  readonly excludedTags: readonly string[];
  readonly requiredLabels: readonly string[];
  /** `null` = not checked, as for each part above. */
  readonly readOnly: boolean | null;
  readonly hasSideEffects: boolean | null;
  readonly destructive: boolean | null;
}

/** A tool that a person added to a group; `who` and `when` are for the auditor. */
interface Inclusion {
  readonly tool: string;
  readonly who: string | null;
  readonly when: string | null;
}

/** A tool that a person excluded from a group. */
interface Exclusion extends Inclusion {
  readonly reason: string;
}

/** A named set of tools: selectors + included − excluded, plus the tools that declare its name. */
export interface Group {
  readonly name: string;
  readonly description: string;
  /** When to use and when not to use these tools; appended to the tools' descriptions for agents. */
  readonly guidance: string | null;
  readonly active: boolean;
  readonly selectors: readonly Selector[];
  readonly include: readonly Inclusion[];
  readonly exclude: readonly Exclusion[];
}

/** The name of the built-in group of tools that declare no group. */
export const DEFAULT_GROUP = "default";
/** The pseudo-group of tools that are in no group; only `"*"` reaches it. */
export const UNGROUPED = "(ungrouped)";
/** All names, where a list of names is expected. */
export const ALL = "*";
/** The built-in machine's initial state. */
export const UNDEFINED_STATE = "undefined";
/** The profile of a request that states none. */
export const MAIN_PROFILE = "main";

/** The kind of source whose tools are code of this installation: profile drift does not apply to them. */
export const CODE_KIND = "builtin" as const;

/** The facts of a source that the resolver needs. */
export interface Source {
  readonly name: string;
  /** The resolver knows only `CODE_KIND`. */
  readonly kind: string;
  readonly enabled: boolean;
  /** Why the source is disabled; absent or `null` = no reason given. */
  readonly disabledReason?: string | null;
}

/** `deprecated`: removed upstream, or retired by a person. `quarantined`: its definition changed and is not yet approved. */
export type ToolStatus = "active" | "deprecated" | "quarantined";

const STRICTNESS: Readonly<Record<ToolStatus, number>> = { active: 0, deprecated: 1, quarantined: 2 };

/** Whether `to` withholds a tool less than `from`. Documents and change sets never do: a person decides it for each tool. */
export function isReleased(from: ToolStatus, to: ToolStatus): boolean {
  return STRICTNESS[to] < STRICTNESS[from];
}

/** The tool annotations of the Model Context Protocol, as the source states them. */
export interface ToolAnnotations {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

/** An MCP server's facts about a tool that programs read. */
export interface McpExtras {
  readonly _meta?: object | undefined;
  readonly icons?: readonly object[] | undefined;
}

/** One callable operation, as the resolver and the manifests see it. */
export interface Tool extends FlowFacts {
  /** `source:operation`; immutable. */
  readonly id: string;
  readonly source: string;
  /** Immutable operation name; the `name` of selectors and profiles means this one. */
  readonly operation: string;
  /** The exposed name; an admin may change it. */
  readonly name: string;
  readonly displayName: string | null;
  readonly description: string;
  readonly guidance: string | null;
  readonly category: string | null;
  readonly version: string | null;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
  readonly annotations: ToolAnnotations;
  readonly hasSideEffects: boolean;
  /** `_meta` and icons of a tool of an MCP server, as it states them. */
  readonly mcp?: McpExtras | null;
  readonly path: string | null;
  readonly method: string | null;
  readonly tags: readonly string[];
  readonly labels: readonly string[];
  /** Declared groups: `null` = in `default`; `[]` = in none. */
  readonly groups: readonly string[] | null;
  /** Built-in machine: the state after a successful call. */
  readonly state: string | null;
  /** Built-in machine: `null` or containing `"*"` = every state; `[]` = never. */
  readonly availableInStates: readonly string[] | null;
  readonly requiredCapabilities: readonly string[];
  readonly enabled: boolean;
  /** Why the tool is disabled; absent or `null` = no reason given. */
  readonly disabledReason?: string | null;
  readonly status: ToolStatus;
  /** SHA-256 (hex) over name, description, schemas and annotations. A drift acceptance is bound to it. */
  readonly definitionHash: string;
}

interface MachineState {
  readonly name: string;
  readonly description: string;
  readonly colour: string | null;
  /** True when no transition is expected to leave the state. */
  readonly terminal: boolean;
}

/** A move after a successful call; an exact `from` takes precedence over `"*"`. */
interface Transition {
  readonly from: string;
  readonly to: string;
}

/** A machine's rule about tools: exactly one of `tool` and `selector` is set. */
export interface MachineRule {
  readonly tool: string | null;
  readonly selector: Selector | null;
  /** `null` = every state; `[]` = never. */
  readonly availableIn: readonly string[] | null;
  readonly transitions: readonly Transition[];
}

/** States of a run, the tools available in each, and the transitions that successful calls take. */
export interface Machine {
  readonly name: string;
  readonly description: string;
  readonly initial: string;
  /** In the initial state every tool is available. */
  readonly openStart: boolean;
  readonly states: readonly MachineState[];
  readonly rules: readonly MachineRule[];
}

/** A set of granted capabilities, and sample claims. */
export interface Persona {
  readonly name: string;
  readonly description: string;
  readonly capabilities: readonly string[];
  readonly sampleClaims: JsonObject;
}

/** Intent → groups; `["*"]` = all. */
export interface Intent {
  readonly name: string;
  readonly description: string;
  readonly groups: readonly string[];
}

/** The facts of a registered agent that the resolver needs; keys and limits are elsewhere. */
export interface Agent {
  readonly name: string;
  readonly enabled: boolean;
  readonly issuer: string | null;
  readonly subject: string | null;
  readonly attributes: JsonObject;
  readonly persona: string | null;
  readonly profile: string | null;
  readonly machine: string | null;
  /**
   * Applies when the request's machine is a named one: then the state comes from a session, and the agent cannot state
   * it.
   */
  readonly stateHeldByServer: boolean;
}

/** The facts of a trusted token issuer that decisions need. */
export interface Issuer {
  readonly name: string;
  /** Tokens of a disabled issuer are refused. */
  readonly enabled: boolean;
  readonly issuer: string;
  /** Claim path of a list (or scope string) of capabilities; `null` = the issuer grants none. */
  readonly capabilitiesClaim: string | null;
}

/** Thresholds are inclusive; `high > medium`. */
export interface RoutingSettings {
  readonly high: number;
  readonly medium: number;
  readonly mode: "conservative" | "strict";
  readonly resolutionGroups: readonly string[];
  readonly alwaysGroups: readonly string[];
}

/** The settings that the resolver reads. */
export interface Settings {
  readonly routing: RoutingSettings;
  /** The built-in machine allows every tool in its initial state. */
  readonly openStart: boolean;
  /** Seconds; 0 turns a cache off. */
  readonly cache: { readonly accessSeconds: number; readonly groupSeconds: number };
}

/** A pause of everything, of one source or of one agent. */
export interface Pause {
  readonly scope: "all" | "source" | "agent";
  /** The source or agent; `null` for `all`. */
  readonly target: string | null;
  readonly reason: string;
}

/** An admin's acceptance of a tool's present definition for restricted profiles. */
export interface DriftAcceptance {
  readonly profile: string;
  readonly tool: string;
  readonly definitionHash: string;
}

/** Everything that `resolve` reads. Two equal configurations give equal answers. */
export interface Configuration {
  /** Every saved change raises it by one; 0 for a document that was never saved. */
  readonly revision: number;
  readonly settings: Settings;
  readonly sources: readonly Source[];
  readonly tools: readonly Tool[];
  readonly groups: readonly Group[];
  readonly policies: readonly Policy[];
  readonly machines: readonly Machine[];
  readonly personas: readonly Persona[];
  readonly intents: readonly Intent[];
  readonly labels: readonly Label[];
  readonly flows: readonly FlowRule[];
  readonly agents: readonly Agent[];
  readonly issuers: readonly Issuer[];
  readonly pauses: readonly Pause[];
  readonly driftAcceptances: readonly DriftAcceptance[];
  readonly accessGrants: readonly AccessGrant[];
}

/** The settings of a fresh installation (docs/reference/decision.md#cost). */
export const DEFAULT_SETTINGS: Settings = {
  routing: { high: 0.8, medium: 0.6, mode: "conservative", resolutionGroups: ["resolution"], alwaysGroups: [] },
  openStart: true,
  cache: { accessSeconds: 300, groupSeconds: 600 },
};
