import type { RuleMode, Selector } from "@/lib/access/model/configuration";

// Labels, and the rules that restrict tools for callers that hold them (docs/reference/decision.md#flow).

/** What a call of a tool reads, and what it can do (docs/reference/decision.md#flow). */
export interface ToolFlow {
  /** The labels that the caller holds after the call began. */
  readonly raises: readonly string[];
  /** The classes that flow rules name. */
  readonly is: readonly string[];
}

/** What a run or a caller has read (docs/reference/decision.md#flow). */
export interface Label {
  readonly name: string;
  readonly description: string;
  /** `run`: the session that called holds the label. `caller`: everything with the same issuer and subject does. */
  readonly scope: "run" | "caller";
  /** Minutes after the last raise; `null` = until the session ends, or a person clears the label. */
  readonly holdMinutes: number | null;
}

/** The tools that a flow rule restricts: exactly one of the three is set. */
export interface Restriction {
  /** A class of tools: those whose `flow.is` names it. */
  readonly is: string | null;
  /** A tool's id. */
  readonly tool: string | null;
  readonly selector: Selector | null;
}

/** Restricts tools for callers that hold labels; never grants any (docs/reference/decision.md#flow). */
export interface FlowRule {
  readonly name: string;
  readonly description: string;
  readonly active: boolean;
  /** An observed rule changes no decision. */
  readonly mode: RuleMode;
  /** The rule applies when the caller holds all of these labels. */
  readonly when: readonly string[];
  readonly restrict: readonly Restriction[];
  /** `hide`: the tools are hidden. `approve`: their calls wait for a person. */
  readonly effect: "hide" | "approve";
}
