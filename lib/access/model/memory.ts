import { emptyBits, type Bits } from "@/lib/access/model/bitset";
import type { GroupTable } from "@/lib/access/compile/groups";
import type { HiddenTool, Reason, ResolvedTool } from "@/lib/access/decide/resolution";

/**
 * Working memory of an index that saves work and decides nothing: scratch space that is empty between decisions, and
 * parts of answers that many callers share. Everything in it follows from the index alone.
 */
export interface Memory {
  /** Scratch bits over tools, and scratch bits over the words of `reached` that are not zero. */
  readonly reached: Bits;
  readonly reachedWords: Bits;
  /** By group set: its verdict in the last decision that needed it. */
  readonly groupSets: (GroupSetVerdict | undefined)[];
  /** By tool: the entries that lists share. */
  readonly entries: (Entry | undefined)[];
  readonly hidden: Map<Reason, (HiddenTool | undefined)[]>;
  /** Counts decisions, so that no decision reads another's scratch. */
  decisions: number;
}

/**
 * The verdict of the three group steps on all tools that are in the same groups; `null` = the step passes. A catalogue
 * has far fewer group sets than tools, so one judgement per set and decision makes lists cheap.
 */
export interface GroupSetVerdict {
  /** The number of the decision that this verdict belongs to. */
  readonly decision: number;
  readonly policy: Reason | null;
  readonly group: Reason | null;
  readonly request: Reason | null;
  /** The groups of the set that let its tools through, one bit per position; −1 when the set has too many groups. */
  readonly through: number;
  /** Calls are allowed for some arguments only. */
  readonly conditional: boolean;
}

/** 128 bits of SHA-256, as four signed words, over everything that a manifest may show of an entry. */
export interface Stamp {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** One entry of a tool. A linked list: most tools have a single entry. */
export interface Entry {
  /** The groups that let the tool through, and the entry's flags. */
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
