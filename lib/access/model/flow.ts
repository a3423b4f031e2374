import type { RuleMode, Selector } from "@/lib/access/model/configuration";

// Labels, and the rules that restrict tools for callers that hold them (docs/reference/decision.md#flow).

/** The shipped label of a run that has read data of people or of the company (lib/resources/shipped-flow.ts). */
export const PRIVATE = "private";
/** The shipped label of a run that has read text that somebody outside may have written. */
export const UNTRUSTED = "untrusted";
/** The shipped class of tools that can send data out. */
export const OUTWARD = "outward";

/** What a call of a tool reads, and what it can do (docs/reference/decision.md#flow). */
export interface ToolFlow {
  /** The labels that the caller holds after the call began. */
  readonly raises: readonly string[];
  /** The classes that flow rules name. */
  readonly is: readonly string[];
}

/** A label or class that an import guessed for a tool. It binds until a person confirms or replaces it. */
export interface FlowGuess {
  readonly kind: "raises" | "is";
  readonly word: string;
  /** The annotation or method that it was guessed from. */
  readonly from: string;
}

/** Whether guesses of a tool wait for an answer. */
export function hasGuess({ flowGuess }: FlowFacts): boolean {
  return flowGuess !== null && flowGuess !== undefined && flowGuess.length > 0;
}

/** Whether a tool states no label and no class. */
export function isFlowEmpty({ raises, is }: ToolFlow): boolean {
  return raises.length === 0 && is.length === 0;
}

/** A tool's `flowGuess` after a person's answer. For the answer "none" it is `[]`, so that no import guesses again. */
export function answeredGuess(flow: ToolFlow): [] | null {
  return isFlowEmpty(flow) ? [] : null;
}

/** A tool's flow and guess after an answer. `null` = the guess is right, and becomes part of the flow. */
export function answeredFlow(
  tool: FlowFacts,
  answer: ToolFlow | null,
  labels: readonly Pick<Label, "name">[],
): { flow: { raises: string[]; is: string[] }; flowGuess: [] | null } {
  const { raises, is } = answer ?? { raises: raisesOf(tool, labels), is: classesOf(tool) };
  const flow = { raises: [...raises], is: [...is] };
  return { flow, flowGuess: answeredGuess(flow) };
}

/** The flow of a tool. */
export interface FlowFacts {
  /** The labels that a call of the tool raises, and the tool's classes; absent or `null` = none. */
  readonly flow?: ToolFlow | null;
  /** Guessed labels and classes, which bind too; absent or `null` = none. */
  readonly flowGuess?: readonly FlowGuess[] | null;
}

/** The classes of a tool, stated or guessed. */
export function classesOf({ flow, flowGuess }: FlowFacts): readonly string[] {
  return withGuesses(flow?.is ?? [], flowGuess, "is");
}

/**
 * The labels that a call of a tool raises. A guessed label counts while a label of its name exists: a deleted label is
 * not raised, and counts again when somebody creates it.
 */
export function raisesOf({ flow, flowGuess }: FlowFacts, labels: readonly Pick<Label, "name">[]): readonly string[] {
  const stated = flow?.raises ?? [];
  const all = withGuesses(stated, flowGuess, "raises");
  if (all.length === stated.length) return stated;
  return all.filter((word) => stated.includes(word) || labels.some(({ name }) => name === word));
}

function withGuesses(
  stated: readonly string[],
  guesses: readonly FlowGuess[] | null | undefined,
  kind: FlowGuess["kind"],
): readonly string[] {
  if (guesses === null || guesses === undefined) return stated;
  return [...new Set([...stated, ...guesses.flatMap((guess) => (guess.kind === kind ? guess.word : []))])];
}

/** Who holds a raised label, and for how long (infinity = no end). An undefined label fails closed: the caller, no end. */
export function holdOf(name: string, labels: readonly Label[]): { readonly isOfRun: boolean; readonly holdMs: number } {
  const label = labels.find((one) => one.name === name);
  const minutes = label?.holdMinutes ?? Number.POSITIVE_INFINITY;
  return { isOfRun: label?.scope === "run", holdMs: minutes * 60_000 };
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
