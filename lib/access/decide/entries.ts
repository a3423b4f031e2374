import { hash } from "node:crypto";
import type { Index } from "@/lib/access/compile/compile";
import type { Tool } from "@/lib/access/model/configuration";
import type { Entry, Stamp } from "@/lib/access/model/memory";
import type { Plan } from "@/lib/access/decide/plan";
import type { ResolvedTool } from "@/lib/access/decide/resolution";
import { groupsThrough, judgeGroupSet } from "@/lib/access/compile/group-sets";

/** The longest exposed name, a limit of the vendors. */
const MAX_NAME_LENGTH = 64;
const SUFFIX_DIGITS = 6;

/**
 * The visible tool's entry in this decision's list. Callers who receive the tool through the same groups share one
 * frozen object, so a list costs one look-up per tool.
 */
export function entryOf(plan: Plan, tool: number, suffixed: boolean, callable: boolean): Entry {
  const { memory, groups } = plan.index;
  const groupSet = groups.groupSetOf[tool] ?? 0;
  const { through, conditional } = judgeGroupSet(plan, groupSet);
  const key = (through << 3) | (callable ? 4 : 0) | (conditional ? 2 : 0) | (suffixed ? 1 : 0);
  const first = memory.entries[tool];
  for (let entry = first; entry !== undefined; entry = entry.next) if (entry.key === key) return entry;
  const made = makeEntry(plan, tool, { key, callable, conditional, suffixed, next: first });
  if (through !== -1 && depth(first) < MAX_ENTRIES_PER_TOOL) memory.entries[tool] = made;
  return made;
}

/** Rarely reached: only by a tool that callers see through many combinations of its groups. */
const MAX_ENTRIES_PER_TOOL = 16;

function depth(entry: Entry | undefined): number {
  return entry === undefined ? 0 : 1 + depth(entry.next);
}

interface EntryFacts {
  readonly key: number;
  readonly callable: boolean;
  readonly conditional: boolean;
  readonly suffixed: boolean;
  readonly next: Entry | undefined;
}

function makeEntry(plan: Plan, number: number, { key, callable, conditional, suffixed, next }: EntryFacts): Entry {
  const { tools, groups } = plan.index;
  const tool = toolAt(plan.index, number);
  const through = groupsThrough(plan, groups.groupSetOf[number] ?? 0).map((group) => groups.all[group]);
  const resolved: ResolvedTool = Object.freeze({
    tool,
    exposedName: suffixed ? suffixedName(tool) : tool.name,
    callable,
    groups: Object.freeze(through.flatMap((group) => group?.name ?? [])),
    conditional,
  });
  const guidance = through.map((group) => group?.group?.guidance ?? null);
  return { key, resolved, stamp: stampOf([tools.all[number], resolved, guidance]), next };
}

/** The stamp of any JSON value. */
export function stampOf(facts: unknown): Stamp {
  const digest = hash("sha256", JSON.stringify(facts), "buffer");
  return { a: digest.readInt32BE(0), b: digest.readInt32BE(4), c: digest.readInt32BE(8), d: digest.readInt32BE(12) };
}

/** A tool by number. */
export function toolAt(index: Index, number: number): Tool {
  const tool = index.tools.all[number];
  if (tool === undefined) throw new RangeError(`no tool has number ${number}`);
  return tool;
}

/**
 * The exposed name of a tool that shares its name with another visible tool: a hash of the id distinguishes them
 * (docs/reference/decision.md#output).
 */
function suffixedName(tool: Tool): string {
  const suffix = `_${hash("sha256", tool.id).slice(0, SUFFIX_DIGITS)}`;
  return tool.name.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix;
}

/**
 * Combines the entries' hashes, in order, into an etag. Each entry is hashed with SHA-256. Mixing uses 128 bits of
 * multiply and rotate, because lists are computed far more often than entries.
 */
export class EtagMixer {
  #a = 0x6a09e667 | 0;
  #b = 0xbb67ae85 | 0;
  #c = 0x3c6ef372 | 0;
  #d = 0xa54ff53a | 0;

  add({ a, b, c, d }: Stamp): void {
    this.#a = mix(this.#a ^ this.#d, a);
    this.#b = mix(this.#b ^ this.#a, b);
    this.#c = mix(this.#c ^ this.#b, c);
    this.#d = mix(this.#d ^ this.#c, d);
  }

  /** 32 hex digits. */
  finish(): string {
    return [this.#a, this.#b, this.#c, this.#d].map(toHex).join("");
  }
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

function mix(state: number, word: number): number {
  const product = Math.imul(state ^ word, 0x9e3779b1);
  return ((product ^ (product >>> 15)) + ((state << 13) | (state >>> 19))) | 0;
}
