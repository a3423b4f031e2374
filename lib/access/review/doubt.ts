import type { CompiledPolicy } from "@/lib/access/compile/policies";
import type { ResolveRequest } from "@/lib/access/decide/resolution";

/** The part of a decision in which a change may show more tools, or remove a guard. */
export type Factor =
  "policy" | "membership" | "arguments" | "enabled" | "state" | "flow" | "profile" | "capability" | "agent";

/** A place where the proof that a change shows no more tools failed. It may be a widening. */
export interface Doubt {
  readonly factor: Factor;
  /** The rule that the doubt is about: a policy, a tool, a machine or an agent. */
  readonly rule: string;
  /** Ids of the tools that somebody may gain; empty when no single tool is meant. */
  readonly tools: readonly string[];
  /** The number of such tools that are not named; default 0. */
  readonly more?: number;
  /** Allow and request policies by which a caller would reach these tools. */
  readonly through: readonly CompiledPolicy[];
  /** The deny that withheld the tools before the change; `null` when the doubt is not about a deny. */
  readonly withheldBy: CompiledPolicy | null;
  /** What the request of a witness states besides its claims. */
  readonly request: Partial<ResolveRequest>;
  /** Labels that a call of the rule's tool raised only before the change, besides those of the request. */
  readonly raised?: readonly string[];
}

/** A doubt names at most this many tools and policies. */
export const MAX_NAMED = 20;
