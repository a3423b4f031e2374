import { createHash } from "node:crypto";
import type { Configuration, Effect, JsonObject, Tool } from "@/lib/access/model/configuration";
import {
  STEPS,
  type FunnelStep,
  type GroupTrace,
  type Outcome,
  type ResolveRequest,
  type RoutingMode,
  type Via,
} from "@/lib/access/decide/resolution";
import { allowsOf, groupsThatShow, isConditional, refusalOf } from "@/test/access/oracle/arguments";
import { fixOf } from "@/test/access/oracle/fix";
import { howTaken, isActive, isMember } from "@/test/access/oracle/groups";
import { nextStateOf } from "@/test/access/oracle/machines";
import { bears, inOrder, matcherTraces, skippedBecause, speaksOf } from "@/test/access/oracle/policies";
import { asksFor, callerOf, isRequestable, verdictsOn, type Caller, type Verdict } from "@/test/access/oracle/steps";

/** The oracle's answer about one tool. */
export interface OracleTool {
  readonly id: string;
  readonly verdicts: readonly Verdict[];
  readonly visible: boolean;
  readonly next: string;
  /** Visible tools only. */
  readonly shown: {
    readonly exposedName: string;
    readonly callable: boolean;
    readonly groups: readonly string[];
    readonly conditional: boolean;
    readonly via: readonly Via[];
  } | null;
  /** Hidden tools only: the number of changes of the smallest fix. */
  readonly fix: ReturnType<typeof fixOf> | null;
}

/** The oracle's answer about one policy. */
export interface OraclePolicy {
  readonly name: string;
  readonly skipped: "inactive" | "observed" | "not_yet_valid" | "expired" | null;
  readonly matched: boolean;
  readonly matchers: readonly { readonly outcome: Outcome; readonly held: boolean }[];
}

/** The oracle's complete answer; `tools` in output order, including hidden ones. */
export interface OracleAnswer {
  readonly tools: readonly OracleTool[];
  readonly policies: readonly OraclePolicy[];
  readonly groups: readonly Omit<GroupTrace, "error">[];
  readonly funnel: readonly FunnelStep[];
  readonly grantedGroups: readonly string[];
  readonly requestedGroups: readonly string[];
  readonly unknownGroups: readonly string[];
  readonly state: string;
  readonly machine: string | null;
  readonly profiles: readonly string[];
  readonly mode: RoutingMode;
  readonly tier: readonly string[] | null;
  readonly matchedPolicies: readonly string[];
  readonly requestable: readonly string[];
}

/** A transcription of docs/reference/decision.md: no index, no cache, every rule evaluated where it is needed. */
export function consultOracle(configuration: Configuration, request: ResolveRequest, now: number): OracleAnswer {
  const caller = callerOf(configuration, request, now);
  const catalogue = configuration.tools.toSorted(byNameThenId);
  const judged = catalogue.map((tool) => ({ tool, verdicts: verdictsOn(caller, tool) }));
  const visible = judged.filter(({ verdicts }) => verdicts.every(({ passed }) => passed)).map(({ tool }) => tool);
  // Without `includeDisabled` every visible tool is callable.
  const strict = request.includeDisabled ? callerOf(configuration, { ...request, includeDisabled: false }, now) : null;
  return {
    tools: judged.map(({ tool, verdicts }) => ({
      id: tool.id,
      verdicts,
      visible: visible.includes(tool),
      next: nextStateOf(configuration, caller.machine, caller.state, tool),
      shown: visible.includes(tool) ? shownAs(caller, strict, tool, visible) : null,
      fix: visible.includes(tool) ? null : fixOf(caller, tool),
    })),
    policies: policiesSeenBy(caller),
    groups: groupsSeenBy(caller),
    funnel: funnelOf(judged.map(({ verdicts }) => verdicts)),
    grantedGroups: caller.granted.toSorted(),
    requestedGroups: caller.requested,
    unknownGroups: caller.requested.filter(
      (name) => name !== "*" && (name === "(ungrouped)" || !caller.groupNames.includes(name)),
    ),
    state: caller.state,
    machine: request.machine,
    profiles: caller.profiles,
    mode: caller.mode,
    tier: caller.tier,
    matchedPolicies: caller.matched.map(({ name }) => name),
    requestable: catalogue.filter((tool) => isRequestable(caller, tool)).map(({ id }) => id),
  };
}

/**
 * Whether a visible tool may be called with these arguments. A refusal names the deny, or `null` when no allow holds.
 */
export function oracleRefusal(
  configuration: Configuration,
  request: ResolveRequest,
  tool: Tool,
  args: JsonObject,
  now: number,
): { readonly policy: string | null } | null {
  const refusal = refusalOf(callerOf(configuration, request, now), tool, args);
  return refusal === null ? null : { policy: refusal.policy?.name ?? null };
}

function shownAs(caller: Caller, strict: Caller | null, tool: Tool, visible: readonly Tool[]): OracleTool["shown"] {
  const groups = groupsThatShow(caller, tool);
  return {
    exposedName: exposedName(tool, visible, caller.configuration.tools),
    callable: strict === null || verdictsOn(strict, tool).every(({ passed }) => passed),
    groups,
    conditional: isConditional(caller, tool),
    via: groups.map((group) => ({
      group,
      how: howTaken(caller.configuration, group, tool),
      policies: allowsOf(caller, tool)
        .filter((policy) => speaksOf(policy, group))
        .map(({ name }) => name),
    })),
  };
}

/** A tool's suffixed name replaces its name if another visible tool has it, or if any tool would have it as suffixed name. */
function exposedName(tool: Tool, visible: readonly Tool[], stored: readonly Tool[]): string {
  const isShared = visible.filter(({ name }) => name === tool.name).length > 1;
  const isImitation = stored.some((other) => withDigits(other) === tool.name);
  return isShared || isImitation ? withDigits(tool) : tool.name;
}

/** A name with six digits of the id's hash, within 64 characters. */
function withDigits({ id, name }: Tool): string {
  const suffix = `_${createHash("sha256").update(id).digest("hex").slice(0, 6)}`;
  return name.slice(0, 64 - suffix.length) + suffix;
}

function policiesSeenBy(caller: Caller): readonly OraclePolicy[] {
  const grants = caller.matched.filter(({ name }) => name.startsWith("access:"));
  return [...inOrder(caller.configuration.policies), ...grants].map((policy) => ({
    name: policy.name,
    skipped: skippedBecause(policy, caller.now),
    matched: caller.matched.includes(policy),
    matchers: matcherTraces(policy, caller.request, caller.now),
  }));
}

function groupsSeenBy(caller: Caller): readonly Omit<GroupTrace, "error">[] {
  const speaking = (group: string, effect: Effect) =>
    caller.matched
      .filter(
        (policy) =>
          policy.effect === effect &&
          bears(caller.configuration, policy, group) &&
          (effect !== "deny" || policy.arguments.length === 0),
      )
      .map(({ name }) => name);
  return caller.groupNames.toSorted().map((name) => ({
    name,
    granted: caller.granted.includes(name),
    grantedBy: speaking(name, "allow"),
    deniedBy: speaking(name, "deny"),
    active: isActive(caller.configuration, name),
    requested: asksFor(caller, name),
    members: caller.configuration.tools.filter((tool) => isMember(caller.configuration, name, tool)).length,
  }));
}

function funnelOf(verdicts: readonly (readonly Verdict[])[]): readonly FunnelStep[] {
  const passing = (steps: number) => verdicts.filter((all) => all.slice(0, steps).every(({ passed }) => passed)).length;
  return STEPS.map((name, at) => ({ name, before: passing(at), after: passing(at + 1) }));
}

function byNameThenId(a: Tool, b: Tool): number {
  return compareText(a.name, b.name) || compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
