import type { Index } from "@/lib/access/compile/compile";
import type { Group, Selector, Tool } from "@/lib/access/model/configuration";
import { compileGroups } from "@/lib/access/compile/groups";
import { inParts, type Parts } from "@/lib/access/model/parts";
import { isProblem } from "@/lib/access/model/problem";
import { BLANK_SELECTOR, clausesIn, isStated } from "@/lib/access/matching/selector-clauses";
import { compileSelector, explainSelector, selectorFacts, type ClauseVerdict } from "@/lib/access/matching/selectors";
import {
  MAX_NEAR_MISSES,
  type GroupMatchesInput,
  type GroupMatchesOutput,
} from "@/lib/contracts/decisions/group-matches";

type NearMiss = GroupMatchesOutput["nearMisses"][number];
type Clause = NearMiss["missing"];
type ToolFacts = Omit<NearMiss, "missing">;

/** The name of a group without a name; no tool can declare it. */
const NAMELESS = "(draft)";

/**
 * Finds the members of a draft of a group with the resolver's code, each with the clauses that matched, and its near
 * misses: the tools that fail exactly one clause (docs/reference/decision.md#group). In parts, because the author of the
 * draft chooses the number of clauses, and every tool is tested with each.
 */
export function* groupMatches(index: Index, { group, q, limit, cursor }: GroupMatchesInput): Parts<GroupMatchesOutput> {
  const draft: Group = { ...group, name: group.name === "" ? NAMELESS : group.name };
  const { members, excluded, how } = yield* membersOf(index, draft);
  const found: Tool[] = [];
  yield* inParts(members, (tool) => contains(tool, q) && found.push(tool));
  const start = cursor === undefined ? 0 : found.findIndex((tool) => tool.id === cursor) + 1;
  const items = found.slice(start, start + limit);
  const reasons: ReturnType<typeof how>[] = [];
  for (const member of members) {
    yield;
    reasons.push(how(member));
  }
  const countBy = (reason: string) => reasons.filter((all) => all.includes(reason as (typeof all)[number])).length;
  return {
    items: items.map((tool) => ({
      ...toolFacts(tool),
      how: [...how(tool)],
      clauses: clausesOf(draft.selectors, tool),
    })),
    nextCursor: start + limit < found.length ? (items.at(-1)?.id ?? null) : null,
    total: found.length,
    counts: {
      members: members.length,
      selectors: countBy("selectors"),
      included: countBy("included"),
      declared: countBy("declared"),
      excluded: excluded.size,
      tools: index.tools.all.length,
    },
    nearMisses: yield* nearMisses(index, draft, new Set([...members, ...excluded])),
  };
}

function* membersOf({ config, tools }: Index, draft: Group) {
  const table = yield* compileGroups({ ...config, groups: [draft] }, tools, []);
  const number = table.numberOf.get(draft.name);
  const compiled = number === undefined ? undefined : table.all[number];
  const groupSetOfTool = (at: number) => table.groupSets[table.groupSetOf[at] ?? 0];
  const has = (numbers: readonly number[] | undefined) => number !== undefined && numbers?.includes(number) === true;
  const members: Tool[] = [];
  const excluded = new Set<Tool>();
  yield* inParts(tools.all, (tool, at) => {
    const groupSet = groupSetOfTool(at);
    if (has(groupSet?.members)) members.push(tool);
    if (has(groupSet?.excluded)) excluded.add(tool);
  });
  return { members, excluded, how: compiled?.how ?? (() => []) };
}

/**
 * Drops one stated clause at a time: a tool that then matches is one clause away. The clauses take turns, so that one
 * clause that excludes nearly every tool does not fill the list.
 */
function* nearMisses(
  { tools }: Index,
  { selectors }: Group,
  inGroup: ReadonlySet<Tool>,
): Parts<GroupMatchesOutput["nearMisses"]> {
  const turns: NearMiss[][] = [];
  for (const [at, selector] of selectors.entries())
    for (const relaxed of relaxations(selector)) {
      yield;
      const compiled = selectors.map((one, index) => compileSelector(index === at ? relaxed : one));
      const matching: Tool[] = [];
      for (const tool of tools.all) {
        if (matching.length === MAX_NEAR_MISSES) break;
        if (inGroup.has(tool)) continue;
        yield;
        const facts = selectorFacts(tool);
        if (compiled.every((one) => !isProblem(one) && one.test(facts))) matching.push(tool);
      }
      turns.push(missesOf(matching, selector, at));
    }
  const misses = new Map<string, NearMiss>();
  for (let turn = 0; turn < MAX_NEAR_MISSES; turn += 1)
    for (const miss of turns.flatMap((list) => list[turn] ?? []))
      if (misses.size < MAX_NEAR_MISSES && !misses.has(miss.toolId)) misses.set(miss.toolId, miss);
  return [...misses.values()];
}

function missesOf(tools: readonly Tool[], selector: Selector, at: number): NearMiss[] {
  return tools.flatMap((tool) => {
    const missing = explainSelector(selector, tool).find((clause) => !clause.held);
    return missing === undefined ? [] : [{ ...toolFacts(tool), missing: toClause(at, missing) }];
  });
}

/**
 * The selector without one of its clauses, for each clause. An empty selector matches nothing and has no near misses.
 */
function relaxations(selector: Selector): Selector[] {
  return clausesIn(BLANK_SELECTOR).flatMap((clause) => {
    const stated = selector[clause];
    if (typeof stated === "object" && stated !== null)
      return stated.map((word) => ({ ...selector, [clause]: stated.filter((other) => other !== word) }));
    return isStated(stated) ? [{ ...selector, [clause]: null }] : [];
  });
}

function clausesOf(selectors: readonly Selector[], tool: Tool): Clause[] {
  return selectors.flatMap((selector, at) => explainSelector(selector, tool).map((clause) => toClause(at, clause)));
}

function toClause(selector: number, { clause, pattern, actual, held }: ClauseVerdict): Clause {
  return { selector, clause, pattern, actual, held };
}

function contains({ id, name, displayName, description }: Tool, q: string): boolean {
  const text = q.trim().toLowerCase();
  return text === "" || [id, name, displayName ?? "", description].some((one) => one.toLowerCase().includes(text));
}

function toolFacts({ id, name, displayName, source, enabled }: Tool): ToolFacts {
  return { toolId: id, name, displayName, source, enabled };
}
