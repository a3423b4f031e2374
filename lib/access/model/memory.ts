import { emptyBits, type Bits } from "@/lib/access/model/bitset";
import type { HiddenTool, Reason, ResolvedTool } from "@/lib/access/decide/resolution";

/**
 * Caches and scratch space of an index. They make decisions faster and never change one. The caches hold parts of answers
 * that many callers share, and follow from the index alone. Scratch space is empty between decisions.
 */
export interface Memory {
  /** Scratch bits over tools, and scratch bits over the words of `reached` that are not zero. */
  readonly reached: Bits;
  readonly reachedWords: Bits;
  /** By group set: its verdict in the last decision that needed it. */
  readonly groupSets: readonly GroupSetVerdict[];
  readonly entries: EntryTable;
  /** What entries share: by group set, then by an entry's key. */
  readonly through: Map<number, Map<number, Through>>;
  /** Hidden tools with their reason: by reason, then by the tool's number. */
  readonly hidden: Map<Reason, (HiddenTool | undefined)[]>;
  /** Counts decisions, so that no decision uses the verdicts of an earlier one. */
  decisions: number;
}

/**
 * The verdict of the three group steps on all tools that are in the same groups; `null` = the step passes. A catalogue
 * has far fewer group sets than tools, so one verdict per set and decision makes lists cheap. The next decision overwrites
 * the verdict: read it at once, and do not keep it.
 */
export interface GroupSetVerdict {
  /** The number of the decision that this verdict belongs to. */
  decision: number;
  policy: Reason | null;
  group: Reason | null;
  request: Reason | null;
  /** The groups of the set that let its tools through, one bit per position; −1 when the set has too many groups. */
  through: number;
  /** Calls are allowed for some arguments only. */
  conditional: boolean;
  /** The three steps hide the tools now, and would show them if matching request policies were allows. */
  requestable: boolean;
}

/** 128 bits of SHA-256, as four signed words, over everything that a manifest may show of an entry. */
export type Digest = Int32Array;

/** What entries share when their tools are in one group set, pass through the same groups and have the same flags. */
export interface Through {
  /** The names of the groups, frozen. */
  readonly groups: readonly string[];
  readonly digest: Digest;
}

/** One entry of a tool in a list. Lists of different callers share it. */
export interface Entry {
  /** The groups that let the tool through, and the entry's flags. */
  readonly key: number;
  readonly resolved: ResolvedTool;
  readonly digest: Digest;
}

/**
 * The entries that lists share, by tool. A tool's first entry is in flat arrays, which a list reads in order. Most tools
 * have only this one; `others` holds the rest.
 */
interface EntryTable {
  /** 0 when the tool has no entry yet. */
  readonly keys: Int32Array;
  /** Four words per tool. */
  readonly digests: Int32Array;
  readonly resolved: (ResolvedTool | undefined)[];
  readonly others: (readonly Entry[] | undefined)[];
}

/** Empty memory for a catalogue of `tools` tools in `groupSets` group sets. */
export function createMemory(tools: number, groupSets: number): Memory {
  const reached = emptyBits(tools);
  return {
    reached,
    reachedWords: emptyBits(reached.length),
    groupSets: Array.from({ length: groupSets }, () => ({
      decision: 0,
      policy: null,
      group: null,
      request: null,
      through: 0,
      conditional: false,
      requestable: false,
    })),
    entries: {
      keys: new Int32Array(tools),
      digests: new Int32Array(tools * 4),
      resolved: Array.from({ length: tools }, () => undefined),
      others: Array.from({ length: tools }, () => undefined),
    },
    through: new Map(),
    hidden: new Map(),
    decisions: 0,
  };
}
