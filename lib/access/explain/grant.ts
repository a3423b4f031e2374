import { conditionsOf } from "@/lib/access/decide/arguments";
import { compile, type Index } from "@/lib/access/compile/compile";
import { UNGROUPED, type Policy } from "@/lib/access/model/configuration";
import { explain, trace } from "@/lib/access/explain/explain";
import { STEPS, type FixChange, type GroupTrace, type ResolveRequest } from "@/lib/access/decide/resolution";
import { visibleNumbers } from "@/lib/access/decide/resolve";

/** A policy that gives one caller a tool; no smaller policy does. */
export interface Grant {
  readonly policy: Policy;
  /** The ids of the other tools that the same request would then return, in catalogue order. */
  readonly brings: readonly string[];
  /** The changes that are still needed, which no policy can make. */
  readonly remaining: readonly FixChange[];
}

/**
 * The caller to grant to. Identity is (issuer, subject), as in the claims `iss` and `sub`
 * (docs/reference/http.md#authentication).
 */
export interface Grantee {
  readonly issuer: string;
  readonly subject: string;
}

/** The steps that grants decide. No grant returns a tool that a later step removes. */
const GRANTED = STEPS.slice(0, STEPS.indexOf("enabled"));

/**
 * Finds the smallest grant that gives a request's caller a tool (by id): a policy for this caller alone, over the
 * smallest group that lets the tool through. Tests it with the resolver.
 * `null` when the grants are not the reason, or no policy can help: a deny applies, or the tool is in no group.
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

/** Requested groups first, then by size: a group that was not requested would not show the tool. */
function smallestFirst(left: GroupTrace, right: GroupTrace): number {
  if (left.requested !== right.requested) return left.requested ? -1 : 1;
  return left.members - right.members || (left.name < right.name ? -1 : 1);
}

/** Whether policies, groups or argument conditions withhold the tool. */
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

/** A slug of the text that no policy has yet. */
function freeName(index: Index, text: string): string {
  const slug = text.replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const taken = new Set(index.config.policies.map(({ name }) => name));
  const base = slug.slice(0, MAX_BASE_LENGTH);
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(name)) return name;
  }
}

/** A name has at most 64 characters: the rest is for a number. */
const MAX_BASE_LENGTH = 56;
