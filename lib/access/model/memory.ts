import { emptyBits, type Bits } from "@/lib/access/model/bitset";
import type { GroupTable } from "@/lib/access/compile/groups";
import type { HiddenTool, Reason, ResolvedTool } from "@/lib/access/decide/resolution";

/**
 * What an index keeps to save work, never to decide: scratch space that is empty between decisions, and
 * answers' parts that many callers share. Everything in it follows from the index alone.
 */
export interface Memory {
  /** Scratch over tools, and over its own words: which of them are not zero. */
  readonly reached: Bits;
  readonly reachedWords: Bits;
  /** By group set: its verdict in the decision that asked last. */
  readonly groupSets: (GroupSetVerdict | undefined)[];
  /** By tool: the entries that lists share. */
  readonly entries: (Entry | undefined)[];
  readonly hidden: Map<Reason, (HiddenTool | undefined)[]>;
  /** Counts decisions, so that none reads another's scratch. */
  decisions: number;
}

/**
 * What the three steps about groups make of all tools that are in the same groups. `null` = the step passes.
 * A catalogue has far fewer group sets than tools: judging them once a decision is what makes lists cheap.
 */
export interface GroupSetVerdict {
  /** The decision that it was made for; it says nothing of any other. */
  readonly decision: number;
  readonly policy: Reason | null;
  readonly group: Reason | null;
  readonly request: Reason | null;
  /** Which of the group set's groups let its tools through, as a bit per place; −1 when they are too many for that. */
  readonly through: number;
  /** Calls are allowed for some arguments only. */
  readonly conditional: boolean;
}

/** 128 bits of SHA-256 over everything that a manifest may show of an entry, as four signed words. */
export interface Stamp {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** A tool's entry under one meaning; a linked list, most tools have one. */
export interface Entry {
  /** Which of its groups let it through, and its flags. */
  readonly key: number;
  readonly resolved: ResolvedTool;
  readonly stamp: Stamp;
  readonly next: Entry | undefined;
}

/** Empty memory for a catalogue of `tools` tools. */
export function createMemory(tools: number, groups: GroupTable): Memory {
  const reached = emptyBits(tools);
  return {
    reached,
    reachedWords: emptyBits(reached.length),
    groupSets: Array.from({ length: groups.groupSets.length }, () => undefined),
    entries: Array.from({ length: tools }, () => undefined),
    hidden: new Map(),
    decisions: 0,
  };
}
