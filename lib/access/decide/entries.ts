import { hash } from "node:crypto";
import type { Index } from "@/lib/access/compile/compile";
import type { Tool } from "@/lib/access/model/configuration";
import type { Parts } from "@/lib/access/model/parts";
import type { Entry, GroupSetVerdict, Digest, Through } from "@/lib/access/model/memory";
import type { Plan } from "@/lib/access/decide/plan";
import type { ResolvedTool } from "@/lib/access/decide/resolution";
import type { ToolTable } from "@/lib/access/model/tools";
import { groupsThrough } from "@/lib/access/compile/group-sets";

/** What an entry depends on besides its tool and the groups that let the tool through. */
interface Flags {
  readonly suffixed: boolean;
  readonly callable: boolean;
}

/**
 * The entry of a visible tool. Adds its digest to `etag`, when it is for a list. Callers who receive the tool through the
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
    etag?.add(entries.digests, tool * 4);
    return first;
  }
  const { resolved, digest } = otherEntry(plan, tool, { key, callable, conditional, suffixed });
  etag?.add(digest);
  return resolved;
}

interface EntryFacts extends Flags {
  readonly key: number;
  readonly conditional: boolean;
}

/** The most cached entries of a tool besides its first. A tool has many only if callers see it through many groups. */
const MAX_OTHER_ENTRIES = 15;

/** Finds an entry besides the tool's first, or makes it and caches it while there is room. */
function otherEntry(plan: Plan, tool: number, facts: EntryFacts): Entry {
  const { entries } = plan.index.memory;
  const others = entries.others[tool] ?? [];
  for (const entry of others) if (entry.key === facts.key) return entry;
  const made = makeEntry(plan, tool, facts);
  // A tool in too many groups has no bit mask of them, so its entries have no key.
  if (facts.key < 0) return made;
  if (entries.resolved[tool] === undefined) {
    entries.keys[tool] = made.key;
    entries.digests.set(made.digest, tool * 4);
    entries.resolved[tool] = made.resolved;
  } else if (others.length < MAX_OTHER_ENTRIES) entries.others[tool] = [...others, made];
  return made;
}

function makeEntry(plan: Plan, number: number, { key, callable, conditional, suffixed }: EntryFacts): Entry {
  const tool = toolAt(plan.index, number);
  const { groups, digest } = throughOf(plan, plan.index.groups.groupSetOf[number] ?? 0, key);
  const resolved: ResolvedTool = Object.freeze({
    tool,
    exposedName: suffixed ? suffixedName(tool) : tool.name,
    callable,
    groups,
    conditional,
  });
  const mixer = new EtagMixer();
  mixer.add(toolDigest(tool));
  mixer.add(digest);
  return { key, resolved, digest: mixer.words() };
}

/** The groups that let tools of one group set through, with the digest of these groups and an entry's flags. */
function throughOf({ index, passing }: Plan, groupSet: number, key: number): Through {
  const { through } = index.memory;
  const known = key < 0 ? undefined : through.get(groupSet)?.get(key);
  if (known !== undefined) return known;
  const groups = groupsThrough({ index, passing }, groupSet).map((group) => index.groups.all[group]);
  const names = Object.freeze(groups.flatMap((group) => group?.name ?? []));
  const guidance = groups.map((group) => group?.group?.guidance ?? null);
  // The key's other bits depend on the group set; the names say the same for any set.
  const made = { groups: names, digest: digestOf([key & 7, names, guidance]) };
  const kept = through.get(groupSet) ?? new Map<number, Through>();
  if (key >= 0 && kept.size <= MAX_OTHER_ENTRIES) through.set(groupSet, kept.set(key, made));
  return made;
}

/** By tool: an unchanged tool stays the same object, so revisions share its digest. */
const toolDigests = new WeakMap<Tool, Digest>();

function toolDigest(tool: Tool): Digest {
  const known = toolDigests.get(tool);
  if (known !== undefined) return known;
  const digest = digestOf(tool);
  toolDigests.set(tool, digest);
  return digest;
}

/** Hashes all tools in parts. Without it, the first list of a revision would hash all its tools at once. */
export function* digestInParts({ tools }: Index): Parts<void> {
  for (const tool of tools.all) {
    toolDigest(tool);
    yield;
  }
}

/** The digest of any JSON value. */
export function digestOf(facts: unknown): Digest {
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

/** The tools whose plain name equals the suffixed name of some tool. They always get a suffix of their own. */
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

  /** Adds the digest that begins at `at`. */
  add(digests: Int32Array, at = 0): void {
    this.#a = mix(this.#a ^ this.#d, digests[at] ?? 0);
    this.#b = mix(this.#b ^ this.#a, digests[at + 1] ?? 0);
    this.#c = mix(this.#c ^ this.#b, digests[at + 2] ?? 0);
    this.#d = mix(this.#d ^ this.#c, digests[at + 3] ?? 0);
  }

  words(): Digest {
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
