import { conditionsOf } from "@/lib/access/decide/arguments";
import { compileInParts, type Index } from "@/lib/access/compile/compile";
import { bringsLeast } from "@/lib/access/compile/groups";
import { BLANK_GROUP, BLANK_POLICY } from "@/lib/access/model/blank-rows";
import { UNGROUPED, type Group, type JsonObject, type Policy } from "@/lib/access/model/configuration";
import { equals, type Matcher } from "@/lib/access/model/matcher";
import type { Parts } from "@/lib/access/model/parts";
import { explain, trace } from "@/lib/access/explain/explain";
import { STEPS, type FixChange, type GroupTrace, type ResolveRequest } from "@/lib/access/decide/resolution";
import { visibleNumbers } from "@/lib/access/decide/resolve";

/** A policy that gives one caller a tool. */
export interface Grant {
  /** The new group that the policy grants, which holds the tool alone; `null` when the policy grants a stored group. */
  readonly group: Group | null;
  readonly policy: Policy;
  /** The ids of the other tools that the same request would then return, in catalogue order. */
  readonly brings: readonly string[];
  /** The changes that are still needed, which no policy can make. */
  readonly remaining: readonly FixChange[];
}

/** The caller to grant to: the matchers of its policy, and the name for the policy. */
export interface Grantee {
  readonly name: string;
  readonly matchers: readonly Matcher[];
}

/** Most grants of an answer. */
const MAX_GRANTS = 4;
/** Most groups that are tested: a tool may be in hundreds of groups. */
const MAX_TESTED = 8;

/** The steps that grants decide. No grant returns a tool that a later step removes. */
const GRANTED = STEPS.slice(0, STEPS.indexOf("enabled"));

/**
 * The caller that claims describe, by `iss` and `sub` (docs/reference/http.md#authentication). Without both, by every
 * string and boolean claim; `null` when there are none or too many.
 */
export function granteeOf(claims: JsonObject): Grantee | null {
  const { iss, sub } = claims;
  if (typeof iss === "string" && typeof sub === "string")
    return { name: sub, matchers: [equals("iss", iss), equals("sub", sub)] };
  // A matcher could read other names as paths.
  const matchers = Object.entries(claims).flatMap(([claim, value]) =>
    /^\w+$/.test(claim) && (typeof value === "string" || typeof value === "boolean") ? [equals(claim, value)] : [],
  );
  if (matchers.length === 0 || matchers.length > MAX_MATCHERS) return null;
  const named = matchers.find(({ value }) => typeof value === "string")?.value ?? "caller";
  return { name: String(named), matchers };
}

const MAX_MATCHERS = 20;

/**
 * The grants that give a request's caller a tool: those that need no other change first, then by the tools with side
 * effects that they bring, then by all tools that they bring. The resolver tests each grant, in parts, because a test
 * compiles a configuration. Empty when no grant is missing, or when a deny applies.
 * @param now epoch milliseconds
 * @param isLate ends the search with the grants found so far
 */
export function* grantsFor(
  index: Index,
  request: ResolveRequest,
  to: Grantee,
  toolId: string,
  now: number,
  isLate: () => boolean = () => false,
): Parts<readonly Grant[]> {
  const toolNumber = index.tools.numberOf.get(toolId);
  if (toolNumber === undefined || !needsGrant(index, request, toolId, now)) return [];
  const groupSet = index.groups.groupSets[index.groups.groupSetOf[toolNumber] ?? 0];
  yield;
  const traced = trace(index, request, now).groups;
  const members = (groupSet?.members ?? []).toSorted(bringsLeast(index.groups)).flatMap((group) => traced[group] ?? []);
  // A deny of any group of the tool withholds it from every grant.
  if (members.some(({ deniedBy }) => deniedBy.length > 0)) return [];
  const storedGroups = members
    .filter(({ name, active, error }) => name !== UNGROUPED && active && error === null)
    // Groups outside the request go last: a grant of one would not show the tool.
    .toSorted((left, right) => Number(right.requested) - Number(left.requested));
  const newGroup = singleToolGroup(index, toolId);
  yield;
  const had = new Set([toolNumber, ...visibleNumbers(index, request, now)]);
  const grants: Grant[] = [];
  for (const group of [...(storedGroups.some(isSmallest) ? [] : [newGroup]), ...storedGroups].slice(0, MAX_TESTED)) {
    if (grants.length === MAX_GRANTS || isLate()) break;
    const added = group === newGroup ? newGroup : null;
    const policy = policyFor(index, to, group.name, added === null ? null : toolId);
    const grant = yield* testGrant(index, request, { group: added, policy }, { toolId, had, now });
    if (grant !== null) grants.push(grant);
  }
  const sideEffects = ({ brings }: Grant) =>
    brings.filter((id) => index.tools.all[index.tools.numberOf.get(id) ?? -1]?.hasSideEffects === true).length;
  return grants.toSorted(
    (left, right) =>
      left.remaining.length - right.remaining.length ||
      sideEffects(left) - sideEffects(right) ||
      left.brings.length - right.brings.length,
  );
}

interface Test {
  readonly toolId: string;
  /** Tools that do not count as brought: those that the caller had, and the tool itself. */
  readonly had: ReadonlySet<number>;
  readonly now: number;
}

/** The grant with what it brings; `null` when the tool does not pass every step that grants decide. */
function* testGrant(
  index: Index,
  request: ResolveRequest,
  { group, policy }: Pick<Grant, "group" | "policy">,
  { toolId, had, now }: Test,
): Parts<Grant | null> {
  const { groups, policies } = index.config;
  const draft = { ...index.config, policies: [...policies, policy] };
  const after = yield* compileInParts(group === null ? draft : { ...draft, groups: [...groups, group] }, index);
  yield;
  const explanation = explain(after, request, toolId, now);
  const granted = explanation?.steps.every(({ step, passed }) => passed || !GRANTED.includes(step)) === true;
  if (!granted || conditionsOf(after, request, toolId, now).length > 0) return null;
  yield;
  const brought = visibleNumbers(after, request, now).filter((each) => !had.has(each));
  return {
    group,
    policy,
    brings: brought.flatMap((each) => after.tools.all[each]?.id ?? []),
    remaining: explanation.fix?.changes ?? [],
  };
}

/** Whether a stored group holds one tool and is in the request: a new group would grant no less. */
function isSmallest({ members, requested }: GroupTrace): boolean {
  return members === 1 && requested;
}

/** Whether policies, groups or argument conditions withhold the tool. */
function needsGrant(index: Index, request: ResolveRequest, toolId: string, now: number): boolean {
  const { steps, visible } = explain(index, request, toolId, now) ?? { steps: [], visible: false };
  if (visible) return conditionsOf(index, request, toolId, now).length > 0;
  return steps.some(({ step, passed, reason }) => GRANTED.includes(step) && !passed && reason !== "paused");
}

function singleToolGroup(index: Index, toolId: string): Group {
  return {
    ...BLANK_GROUP,
    name: freeName(index.config.groups, `only-${plainName(toolId)}`),
    description: `Only ${toolId}.`,
    include: [{ tool: toolId, who: null, when: null }],
  };
}

/** @param toolId the tool that a new group holds alone; `null` for a stored group, whose tools all come along */
function policyFor(index: Index, { name, matchers }: Grantee, group: string, toolId: string | null): Policy {
  return {
    ...BLANK_POLICY,
    name: freeName(index.config.policies, `${toolId === null ? group : plainName(toolId)}-for-${name}`),
    description: `Grants ${toolId ?? `group ${group}`} to ${name}.`,
    matchers,
    groups: [group],
  };
}

function plainName(toolId: string): string {
  return toolId.split(":").at(-1) ?? toolId;
}

/** A slug of the text, with a number when a row has that name. */
export function freeName(rows: readonly { readonly name: string }[], text: string): string {
  const slug = text.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const taken = new Set(rows.map(({ name }) => name));
  const base = slug.slice(0, MAX_BASE_LENGTH);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(name)) return name;
  }
}

/** A name has at most 64 characters: 8 are left for the number. */
const MAX_BASE_LENGTH = 56;
