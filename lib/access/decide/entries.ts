import { hash } from "node:crypto";
import type { Index } from "@/lib/access/compile/compile";
import type { Tool } from "@/lib/access/model/configuration";
import type { Parts } from "@/lib/access/model/parts";
import type { Entry, GroupSetVerdict, Stamp, Through } from "@/lib/access/model/memory";
import type { Plan } from "@/lib/access/decide/plan";
import type { ResolvedTool } from "@/lib/access/decide/resolution";
import type { ToolTable } from "@/lib/access/model/tools";
import { groupsThrough } from "@/lib/access/compile/group-sets";

/** What an entry depends on beside its tool and the groups that the tool comes through. */
interface Flags {
  readonly suffixed: boolean;
  readonly callable: boolean;
}

/**
 * The visible tool's entry in this decision's list; adds its stamp to the etag of a list. Callers who receive the tool through the
 * same groups share one frozen object, so a list costs one look-up per tool.
 */
export function entryOf(
  plan: Plan,
  tool: number,
  { through, conditional }: GroupSetVerdict,
  { suffixed, callable }: Flags,
  etag?: EtagMixer,
): ResolvedTool {
  const { entries } = plan.index.memory;
  const key = (through << 3) | (callable ? 4 : 0) | (conditional ? 2 : 0) | (suffixed ? 1 : 0);
  const first = entries.keys[tool] === key ? entries.resolved[tool] : undefined;
  if (first !== undefined) {
    etag?.add(entries.stamps, tool * 4);
    return first;
  }
  const { resolved, stamp } = otherEntry(plan, tool, { key, callable, conditional, suffixed });
  etag?.add(stamp);
  return resolved;
}

interface EntryFacts extends Flags {
  readonly key: number;
  readonly conditional: boolean;
}

/** More are rarely made: only for a tool that callers see through many combinations of its groups. */
const MAX_OTHER_ENTRIES = 15;

/** An entry that is not the tool's first, or that is made now and kept while there is room. */
function otherEntry(plan: Plan, tool: number, facts: EntryFacts): Entry {
  const { entries } = plan.index.memory;
  const others = entries.others[tool] ?? [];
  for (const entry of others) if (entry.key === facts.key) return entry;
  const made = makeEntry(plan, tool, facts);
  // A tool in too many groups has no bit mask of them, so its entries have no key.
  if (facts.key < 0) return made;
  if (entries.resolved[tool] === undefined) {
    entries.keys[tool] = made.key;
    entries.stamps.set(made.stamp, tool * 4);
    entries.resolved[tool] = made.resolved;
  } else if (others.length < MAX_OTHER_ENTRIES) entries.others[tool] = [...others, made];
  return made;
}

function makeEntry(plan: Plan, number: number, { key, callable, conditional, suffixed }: EntryFacts): Entry {
  const tool = toolAt(plan.index, number);
  const { groups, stamp } = throughOf(plan, plan.index.groups.groupSetOf[number] ?? 0, key);
  const resolved: ResolvedTool = Object.freeze({
    tool,
    exposedName: suffixed ? suffixedName(tool) : tool.name,
    callable,
    groups,
    conditional,
  });
  const mixer = new EtagMixer();
  mixer.add(digestOf(tool));
  mixer.add(stamp);
  return { key, resolved, stamp: mixer.words() };
}

/** The groups that let tools of one group set through, and the stamp of what they and the flags add to an entry. */
function throughOf({ index, passing }: Plan, groupSet: number, key: number): Through {
  const { through } = index.memory;
  const known = key < 0 ? undefined : through.get(groupSet)?.get(key);
  if (known !== undefined) return known;
  const groups = groupsThrough({ index, passing }, groupSet).map((group) => index.groups.all[group]);
  const names = Object.freeze(groups.flatMap((group) => group?.name ?? []));
  const guidance = groups.map((group) => group?.group?.guidance ?? null);
  // The lowest bits of the key are the flags. The groups say what its other bits say.
  const made = { groups: names, stamp: stampOf([key & 7, names, guidance]) };
  const kept = through.get(groupSet) ?? new Map<number, Through>();
  if (key >= 0 && kept.size <= MAX_OTHER_ENTRIES) through.set(groupSet, kept.set(key, made));
  return made;
}

/** The stamp of a tool's JSON, by tool: a tool stays the same object while it does not change, so revisions share it. */
const digests = new WeakMap<Tool, Stamp>();

function digestOf(tool: Tool): Stamp {
  const known = digests.get(tool);
  if (known !== undefined) return known;
  const digest = stampOf(tool);
  digests.set(tool, digest);
  return digest;
}

/** Hashes the tools in parts. Without it, the first decision of a revision hashes every tool that it lists at once. */
export function* digestInParts({ tools }: Index): Parts<void> {
  for (const tool of tools.all) {
    digestOf(tool);
    yield;
  }
}

/** The stamp of any JSON value. */
export function stampOf(facts: unknown): Stamp {
  const digest = hash("sha256", JSON.stringify(facts), "buffer");
  return Int32Array.from([0, 4, 8, 12], (at) => digest.readInt32BE(at));
}

/** A tool by number. */
export function toolAt(index: Index, number: number): Tool {
  const tool = index.tools.all[number];
  if (tool === undefined) throw new RangeError(`no tool has number ${number}`);
  return tool;
}

/** The longest exposed name, a limit of the vendors. */
const MAX_NAME_LENGTH = 64;
const SUFFIX = /_[0-9a-f]{6}$/;
const STEM_LENGTH = MAX_NAME_LENGTH - "_000000".length;

/** The exposed name of a tool that needs a suffix: a hash of its id (docs/reference/decision.md#exposed-names). */
function suffixedName({ id, name }: Tool): string {
  return `${name.slice(0, STEM_LENGTH)}_${hash("sha256", id).slice(0, 6)}`;
}

const imitators = new WeakMap<ToolTable, ReadonlySet<number>>();

/** The tools whose name is the suffixed name of some tool of the catalogue. They always get their own suffix. */
export function imitatorsOf({ tools }: Index): ReadonlySet<number> {
  const known = imitators.get(tools);
  if (known !== undefined) return known;
  const found = findImitators(tools.all);
  imitators.set(tools, found);
  return found;
}

/** Hashes only tools whose name, with some suffix, is another tool's name: usually none. */
function findImitators(all: readonly Tool[]): ReadonlySet<number> {
  const stems = new Set(all.flatMap(({ name }) => (SUFFIX.test(name) ? name.replace(SUFFIX, "") : [])));
  if (stems.size === 0) return new Set();
  const stemmed = all.filter(({ name }) => stems.has(name.slice(0, STEM_LENGTH)));
  const suffixed = new Set(stemmed.map(suffixedName));
  return new Set([...all.keys()].filter((number) => suffixed.has(all[number]?.name ?? "")));
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

  /** Adds the stamp that begins at `at`. */
  add(stamps: Int32Array, at = 0): void {
    this.#a = mix(this.#a ^ this.#d, stamps[at] ?? 0);
    this.#b = mix(this.#b ^ this.#a, stamps[at + 1] ?? 0);
    this.#c = mix(this.#c ^ this.#b, stamps[at + 2] ?? 0);
    this.#d = mix(this.#d ^ this.#c, stamps[at + 3] ?? 0);
  }

  words(): Stamp {
    return Int32Array.of(this.#a, this.#b, this.#c, this.#d);
  }

  /** 32 hex digits. */
  finish(): string {
    return Array.from(this.words(), toHex).join("");
  }
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

function mix(state: number, word: number): number {
  const product = Math.imul(state ^ word, 0x9e3779b1);
  return ((product ^ (product >>> 15)) + ((state << 13) | (state >>> 19))) | 0;
}
