import { conditionsOf } from "@/lib/access/decide/arguments";
import { compile, type Index } from "@/lib/access/compile/compile";
import { UNGROUPED, type Policy } from "@/lib/access/model/configuration";
import { explain, trace } from "@/lib/access/explain/explain";
import { STEPS, type FixChange, type GroupTrace, type ResolveRequest } from "@/lib/access/decide/resolution";
import { visibleNumbers } from "@/lib/access/decide/resolve";

/** A policy that would let one caller have a tool, and nothing smaller that a policy can say would. */
export interface Grant {
  readonly policy: Policy;
  /** What the caller, asking as it did, would have besides: ids, in the order of the catalogue. */
  readonly brings: readonly string[];
  /** What would still be in the way: no policy can change that. */
  readonly remaining: readonly FixChange[];
}

/** Whom to grant to: identity is (issuer, subject), as the claims `iss` and `sub` (docs/reference/http.md#authentication). */
export interface Grantee {
  readonly issuer: string;
  readonly subject: string;
}

/** The steps that grants decide; what a later one takes away no grant gives back. */
const GRANTED = STEPS.slice(0, STEPS.indexOf("enabled"));

/**
 * The smallest grant by which a request's caller would have a tool (by id): a policy for this caller alone, of the
 * smallest group that lets the tool through. Found by the resolver itself, on the configuration with that policy in
 * it. `null` when the caller's grants are not what is missing, or when no policy can give the tool: a denial stands
 * in the way, or it is in no group.
 *
 * @param now epoch milliseconds
 */
export function smallestGrant(
  index: Index,
  request: ResolveRequest,
  to: Grantee,
  toolId: string,
  now: number,
): Grant | null {
  const number = index.tools.numberOf.get(toolId);
  if (number === undefined || !needsGrant(index, request, toolId, now)) return null;
  const groupSet = index.groups.groupSets[index.groups.groupSetOf[number] ?? 0];
  const traced = trace(index, request, now).groups;
  const members = (groupSet?.members ?? []).flatMap((group) => traced[group] ?? []);
  // A deny of any of its groups withholds the tool, whatever else is granted.
  if (members.some(({ deniedBy }) => deniedBy.length > 0)) return null;
  const open = members
    .filter(({ name, active, error }) => name !== UNGROUPED && active && error === null)
    .toSorted(smallestFirst);
  const had = new Set(visibleNumbers(index, request, now));
  for (const { name } of open) {
    const policy = policyFor(index, to, toolId, name);
    const after = compile({ ...index.config, policies: [...index.config.policies, policy] }, index);
    const explanation = explain(after, request, toolId, now);
    const granted = explanation?.steps.every(({ step, passed }) => passed || !GRANTED.includes(step)) === true;
    if (!granted || conditionsOf(after, request, toolId, now).length > 0) continue;
    const gained = visibleNumbers(after, request, now).filter((each) => each !== number && !had.has(each));
    return {
      policy,
      brings: gained.flatMap((each) => index.tools.all[each]?.id ?? []),
      remaining: explanation.fix?.changes ?? [],
    };
  }
  return null;
}

/** Groups that the caller asked for, then by size: what it did not ask for would not show the tool. */
function smallestFirst(left: GroupTrace, right: GroupTrace): number {
  if (left.requested !== right.requested) return left.requested ? -1 : 1;
  return left.members - right.members || (left.name < right.name ? -1 : 1);
}

/** Whether the tool is held back by what policies and groups say, or by their conditions on arguments. */
function needsGrant(index: Index, request: ResolveRequest, toolId: string, now: number): boolean {
  const { steps, visible } = explain(index, request, toolId, now) ?? { steps: [], visible: false };
  if (visible) return conditionsOf(index, request, toolId, now).length > 0;
  return steps.some(({ step, passed, reason }) => GRANTED.includes(step) && !passed && reason !== "paused");
}

function policyFor(index: Index, { issuer, subject }: Grantee, toolId: string, group: string): Policy {
  return {
    name: freeName(index, `${toolId.split(":").at(-1) ?? toolId}-for-${subject}`),
    description: `Grants ${toolId} to ${subject}.`,
    effect: "allow",
    priority: 0,
    active: true,
    validFrom: null,
    validUntil: null,
    matchers: [
      { claim: "iss", operator: "equals", value: issuer, ignoreCase: false },
      { claim: "sub", operator: "equals", value: subject, ignoreCase: false },
    ],
    everyone: false,
    arguments: [],
    groups: [group],
  };
}

/** A slug near the text that no policy has. */
function freeName(index: Index, text: string): string {
  const slug = text.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const taken = new Set(index.config.policies.map(({ name }) => name));
  const base = slug.slice(0, MOST_OF_NAME);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(name)) return name;
  }
}

/** Of a name's 64 characters: the rest is for a number. */
const MOST_OF_NAME = 56;
