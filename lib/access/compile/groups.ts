import {
  addMoved,
  bitsWhere,
  countAmong,
  emptyBits,
  forEachBit,
  hasBit,
  setBit,
  toSparse,
} from "@/lib/access/model/bitset";
import type { Bits, SparseBits } from "@/lib/access/model/bitset";
import { accessGroupName } from "@/lib/access/model/access-names";
import { candidates, catalogueChange, toCatalogue, type Catalogue, type Numbered } from "@/lib/access/model/catalogue";
import { DEFAULT_GROUP, UNGROUPED, type Configuration, type Group, type Tool } from "@/lib/access/model/configuration";
import { append } from "@/lib/access/model/lists";
import { inParts, sortedInParts, type Parts } from "@/lib/access/model/parts";
import { isProblem } from "@/lib/access/model/problem";
import type { MembershipVia } from "@/lib/access/decide/resolution";
import { byCodeUnit } from "@/lib/access/model/scalars";
import { compileSelector, selectorFacts, type CompiledSelector } from "@/lib/access/matching/selectors";

/** One group with its members (docs/reference/decision.md#group), or a built-in group. */
export interface CompiledGroup {
  readonly name: string;
  /** `null` for `default`, `(ungrouped)` and the groups of access grants. */
  readonly group: Group | null;
  readonly active: boolean;
  /** Set when a stored pattern does not compile: then the group is empty and shows this error. */
  readonly error: string | null;
  readonly members: SparseBits;
  /** The number of members with side effects. */
  readonly sideEffects: number;
  /** The tools that would be members without an exclusion. */
  readonly excluded: SparseBits;
  /** How a tool enters the group, ignoring exclusions; empty when it does not. */
  readonly how: (tool: Tool) => readonly MembershipVia[];
}

/** All groups, numbered by name, and the group set of every tool. */
export interface GroupTable {
  readonly all: readonly CompiledGroup[];
  /** Names that a policy, a request or an intent can use; `(ungrouped)` is not one of them. */
  readonly numberOf: ReadonlyMap<string, number>;
  readonly ungrouped: number;
  /**
   * By tool id, the group that access grants of this tool use. No policy, request or intent can name it, and a tool in it
   * still counts as ungrouped.
   */
  readonly access: ReadonlyMap<string, number>;
  /** Groups whose `active` is true. */
  readonly active: Bits;
  /** By tool, the number of its group set: tools in the same groups share one set. */
  readonly groupSetOf: Uint32Array;
  readonly groupSets: readonly GroupSet[];
}

/** The groups that contain a tool, and the groups that exclude it; ascending numbers. */
export interface GroupSet {
  readonly members: readonly number[];
  readonly excluded: readonly number[];
}

/** A group before it has a number, with dense bits over the tools. */
interface GroupMembers {
  readonly group: Omit<CompiledGroup, "members" | "sideEffects" | "excluded">;
  readonly members: Bits;
  readonly excluded: Bits;
}

/** A catalogue with the groups compiled over it. */
interface Compiled {
  readonly tools: Numbered;
  readonly groups: GroupTable;
}

/**
 * Compiles all groups. A membership depends only on the group and the tool. When both are the same objects in `previous`,
 * its result is reused, so a change costs only what it touches.
 */
export function* compileGroups(
  config: Configuration,
  tools: Numbered,
  errors: string[],
  previous: Compiled | null = null,
): Parts<GroupTable> {
  const size = tools.all.length;
  const change = previous === null ? null : yield* catalogueChange(previous.tools, tools);
  const compiledBefore = new Map(previous?.groups.all.map((group) => [group.group, group]));
  let wholeCatalogue: Catalogue | undefined;
  const unnumbered = [yield* defaultGroup(tools.all)];
  for (const group of yield* distinctGroups(config.groups, errors)) {
    yield;
    const before = change === null ? undefined : compiledBefore.get(group);
    const catalogue =
      change === null || before === undefined ? (wholeCatalogue ??= yield* toCatalogue(tools)) : change.others;
    const collected = yield* collectMembers(group, catalogue, errors);
    if (change !== null && before !== undefined) {
      addMoved(collected.members, before.members, change.movedTo);
      addMoved(collected.excluded, before.excluded, change.movedTo);
    }
    unnumbered.push(collected);
  }
  unnumbered.push(yield* ungroupedTools(unnumbered, size));
  for (const tool of grantedTools(config)) unnumbered.push(accessGroup(tool, tools));
  const ordered = yield* sortedInParts(unnumbered, (left, right) => byCodeUnit(left.group.name, right.group.name));
  const withSideEffects = bitsWhere(size, (number) => tools.all[number]?.hasSideEffects === true);
  const all: CompiledGroup[] = [];
  for (const { group, excluded, ...collected } of ordered) {
    yield;
    const members = toSparse(collected.members);
    const sideEffects = countAmong(members, withSideEffects);
    all.push({ ...group, members, sideEffects, excluded: toSparse(excluded) });
  }
  const ungrouped = all.findIndex((group) => group.name === UNGROUPED);
  const numberOf = new Map<string, number>();
  const numbers = new Map(all.map((group, number) => [group.name, number]));
  const access = new Map(grantedTools(config).map((tool) => [tool, numbers.get(accessGroupName(tool)) ?? ungrouped]));
  const unnamed = new Set([ungrouped, ...access.values()]);
  const active = emptyBits(all.length);
  yield* inParts(all, (group, number) => {
    if (!unnamed.has(number)) numberOf.set(group.name, number);
    if (group.active) setBit(active, number);
  });
  return { all, numberOf, ungrouped, access, active, ...(yield* compileGroupSets(all, size)) };
}

/**
 * Orders group numbers by what a grant brings: fewest tools with side effects, fewest tools, name
 * (docs/reference/decision.md#fix).
 */
export function bringsLeast({ all }: GroupTable): (left: number, right: number) => number {
  const sideEffects = (group: number) => all[group]?.sideEffects ?? 0;
  const members = (group: number) => all[group]?.members.count ?? 0;
  return (left, right) => sideEffects(left) - sideEffects(right) || members(left) - members(right) || left - right;
}

/** The ids of the tools with access grants, each once. */
export function grantedTools({ accessGrants }: Pick<Configuration, "accessGrants">): readonly string[] {
  return [...new Set(accessGrants.map(({ tool }) => tool))].toSorted(byCodeUnit);
}

/** The group of all access grants of one tool: it holds the tool alone. */
function accessGroup(tool: string, { all, numberOf }: Numbered): GroupMembers {
  const members = emptyBits(all.length);
  addTool(members, numberOf.get(tool));
  const how = ({ id }: Tool): readonly MembershipVia[] => (id === tool ? ["granted"] : []);
  return {
    group: { name: accessGroupName(tool), group: null, active: true, error: null, how },
    members,
    excluded: emptyBits(all.length),
  };
}

/** `default` and `(ungrouped)` are built in. A second group with the same name is an error and is ignored. */
function* distinctGroups(groups: readonly Group[], errors: string[]): Parts<readonly Group[]> {
  const distinct = new Map<string, Group>();
  yield* inParts(groups, (group) => {
    if (group.name === DEFAULT_GROUP || group.name === UNGROUPED || distinct.has(group.name))
      errors.push(`group \`${group.name}\`: the name is built in or taken, the group is ignored`);
    else distinct.set(group.name, group);
  });
  return [...distinct.values()];
}

/** Members are selected + included + declared − excluded. */
function* collectMembers(group: Group, catalogue: Catalogue, errors: string[]): Parts<GroupMembers> {
  const selectors: CompiledSelector[] = [];
  for (const [index, selector] of group.selectors.entries()) {
    const compiled = compileSelector(selector);
    if (isProblem(compiled)) {
      const error = `group \`${group.name}\`, selector ${index + 1}: ${compiled.problem}`;
      errors.push(error);
      return {
        group: { name: group.name, group, active: group.active, error, how: () => [] },
        members: emptyBits(catalogue.size),
        excluded: emptyBits(catalogue.size),
      };
    }
    selectors.push(compiled);
  }
  const members = emptyBits(catalogue.size);
  if (selectors.length > 0) yield* addSelected(members, selectors, catalogue);
  for (const { tool } of group.include) addTool(members, catalogue.numberOf.get(tool));
  for (const number of catalogue.declared.get(group.name) ?? []) setBit(members, number);
  const excluded = emptyBits(catalogue.size);
  for (const { tool } of group.exclude) {
    const number = catalogue.numberOf.get(tool);
    if (number === undefined || !hasBit(members, number)) continue;
    setBit(excluded, number);
  }
  members.forEach((word, at) => (members[at] = word & ~(excluded[at] ?? 0)));
  return { group: groupFacts(group, selectors), members, excluded };
}

function addTool(bits: Bits, number: number | undefined): void {
  if (number !== undefined) setBit(bits, number);
}

function* addSelected(members: Bits, selectors: readonly CompiledSelector[], catalogue: Catalogue): Parts<void> {
  for (const entries of candidates(selectors, catalogue))
    yield* inParts(entries, ({ number, facts }) => {
      if (selectors.every((selector) => selector.test(facts))) setBit(members, number);
    });
}

function groupFacts(group: Group, selectors: readonly CompiledSelector[]): GroupMembers["group"] {
  const included = new Set(group.include.map(({ tool }) => tool));
  const how = (tool: Tool): readonly MembershipVia[] => {
    const via: MembershipVia[] = [];
    const selected = selectorFacts(tool);
    if (selectors.length > 0 && selectors.every((selector) => selector.test(selected))) via.push("selectors");
    if (included.has(tool.id)) via.push("included");
    if (tool.groups?.includes(group.name) === true) via.push("declared");
    return via;
  };
  return { name: group.name, group, active: group.active, error: null, how };
}

/** `default` holds the tools that declare nothing or declare `default`. */
function* defaultGroup(tools: readonly Tool[]): Parts<GroupMembers> {
  const isIn = (tool: Tool): boolean => tool.groups === null || tool.groups.includes(DEFAULT_GROUP);
  const members = emptyBits(tools.length);
  yield* inParts(tools, (tool, number) => isIn(tool) && setBit(members, number));
  const how = (tool: Tool): readonly MembershipVia[] =>
    isIn(tool) ? [tool.groups === null ? "default" : "declared"] : [];
  return {
    group: { name: DEFAULT_GROUP, group: null, active: true, error: null, how },
    members,
    excluded: emptyBits(tools.length),
  };
}

/** Tools in no group. Fails closed: while the members of a group in error are unknown, `(ungrouped)` is empty. */
function* ungroupedTools(unnumbered: readonly GroupMembers[], size: number): Parts<GroupMembers> {
  const members = emptyBits(size);
  if (unnumbered.every(({ group }) => group.error === null)) {
    for (let n = 0; n < size; n += 1) setBit(members, n);
    for (const collected of unnumbered) {
      yield;
      collected.members.forEach((word, at) => (members[at] = (members[at] ?? 0) & ~word));
    }
  }
  const group = { name: UNGROUPED, group: null, active: true, error: null, how: () => ["ungrouped"] as const };
  return { group, members, excluded: emptyBits(size) };
}

function* compileGroupSets(
  groups: readonly CompiledGroup[],
  size: number,
): Parts<Pick<GroupTable, "groupSetOf" | "groupSets">> {
  const members: number[][] = Array.from({ length: size }, () => []);
  const excluded = new Map<number, number[]>();
  for (const [group, one] of groups.entries()) {
    yield;
    forEachBit(one.members, (tool) => members[tool]?.push(group));
    forEachBit(one.excluded, (tool) => append(excluded, tool, group));
  }
  const numbers = new Map<string, number>();
  const groupSets: GroupSet[] = [];
  const groupSetOf = new Uint32Array(size);
  yield* inParts(members, (within, tool) => {
    const out = excluded.get(tool) ?? [];
    const key = `${within.join()}-${out.join()}`;
    const number = numbers.get(key) ?? groupSets.push({ members: within, excluded: out }) - 1;
    numbers.set(key, number);
    groupSetOf[tool] = number;
  });
  return { groupSetOf, groupSets };
}
