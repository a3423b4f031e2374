import { oncePer } from "@/lib/access/model/once-per";
import type { Index } from "@/lib/access/compile/compile";
import { accessGroupName, grantBehind } from "@/lib/access/model/access-names";
import type { Policy } from "@/lib/access/model/configuration";
import type { ResolvedTool } from "@/lib/access/decide/resolution";
import { offersOf } from "@/lib/access/decide/offers";
import { check, findByExposedName } from "@/lib/access/decide/resolve";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import type { CallContext } from "@/lib/calls/pipeline/call-context";
import { flowRefusal } from "@/lib/calls/pipeline/flow-refusal";

/** The same message for an unknown and a forbidden tool, so that no caller can distinguish them. */
const NOT_AVAILABLE = "This tool is not available to you. List your tools to see the available ones.";

/** Step 2, second half: the tool must be in the caller's list. */
export function findTool(call: Pick<Call, "toolId" | "name">, context: CallContext): ResolvedTool | Refusal {
  const { resolution } = context;
  const found =
    call.toolId === null
      ? findByExposedName(resolution, call.name ?? "")
      : resolution.tools.filter(({ tool }) => tool.id === call.toolId);
  const [only, ...others] = found;
  if (only === undefined) return notAvailable(call, context);
  return others.length === 0 ? only : ambiguous(found.map(({ tool }) => tool.id));
}

function ambiguous(candidates: readonly string[]): Refusal {
  return {
    code: "ambiguous_name",
    message: `Several of your tools have this name: ${candidates.join(", ")}. Call one by its \`tool_id\`.`,
    details: { candidates },
    reason: "ambiguous_name",
  };
}

function notAvailable(call: Pick<Call, "toolId" | "name">, context: CallContext): Refusal {
  const { index } = context.snapshot;
  const id = call.toolId ?? offeredByName(call.name ?? "", context) ?? idOfName(call.name ?? "", context);
  const judged = id === null ? null : check(index, context.request, id, context.now);
  if (judged === null || judged.verdict === "unknown")
    return { code: "tool_not_available", message: NOT_AVAILABLE, reason: "unknown_tool" };
  const reason = judged.verdict === "hidden" ? judged.reason : "not_in_list";
  const trail = { reason, toolId: id, policies: policiesBehind(reason, id, context), groups: [] };
  if (reason === "access_requestable" && id !== null && isNamed(call, context))
    return { ...requestable(id, context), ...trail };
  const restricted = reason === "flow_restricted" && id !== null ? flowRefusal(id, context) : null;
  if (restricted !== null) return { code: "tool_not_available", ...restricted, ...trail };
  const pause = reason === "paused" && id !== null ? pauseToldTo(id, context) : null;
  if (pause !== null) return { code: "paused", message: `Stopped by an administrator: ${pause}`, ...trail };
  const disabled = reason.endsWith("_disabled") && id !== null ? disablingToldTo(id, context) : null;
  if (disabled !== null)
    return { code: "tool_not_available", message: `Disabled by an administrator: ${disabled}`, ...trail };
  return { code: "tool_not_available", message: NOT_AVAILABLE, ...trail };
}

/** The refusal of a tool that a request policy offers. It may name the tool, because the policy chose this caller. */
function requestable(
  id: string,
  { snapshot, request, now }: CallContext,
): Pick<Refusal, "code" | "message" | "details"> {
  const offers = offersOf(snapshot.index, request, id, now);
  const description = offers.map((policy) => policy.description.trim()).find((text) => text !== "");
  const maxHours = Math.max(...offers.map(({ maxHours: hours }) => hours ?? 0));
  return {
    code: "access_requestable",
    message: description ?? "You have this tool only on request: ask a person for access.",
    details: { tool_id: id, max_hours: maxHours },
  };
}

/** Whether the call names one requestable tool: by its id, or by a name that no other requestable tool has. */
function isNamed({ toolId, name }: Pick<Call, "toolId" | "name">, context: CallContext): boolean {
  return toolId !== null || offeredByName(name ?? "", context) !== null;
}

/** The one requestable tool that has a name; `null` when there is none, or more than one. */
function offeredByName(name: string, { resolution }: CallContext): string | null {
  const [only, ...others] = resolution.requestable.filter((tool) => tool.name === name);
  return only === undefined || others.length > 0 ? null : only.id;
}

/** The catalogue's tool for a name that is not in the caller's list; for the log only. */
function idOfName(name: string, { snapshot }: CallContext): string | null {
  const named = snapshot.index.config.tools.filter((tool) => tool.name === name || tool.operation === name);
  return named[0]?.id ?? null;
}

/** Whether the caller would have the tool without a pause or disabling. Only such a caller learns its reason. */
function wouldHave(id: string, { snapshot, request, now }: CallContext): boolean {
  return check(snapshot.index, { ...request, includeDisabled: true }, id, now).verdict === "visible";
}

/** Why the tool or its source is disabled; `null` without a reason, or when the caller must not learn it. */
function disablingToldTo(id: string, context: CallContext): string | null {
  const tool = context.snapshot.tools.get(id);
  if (tool === undefined || !wouldHave(id, context)) return null;
  return context.snapshot.sources.get(tool.source)?.disabledReason ?? tool.disabledReason;
}

function pauseToldTo(id: string, context: CallContext): string | null {
  if (!wouldHave(id, context)) return null;
  const { snapshot, request } = context;
  const source = snapshot.tools.get(id)?.source;
  const pause = snapshot.index.config.pauses.find(
    ({ scope, target }) =>
      scope === "all" || (scope === "source" && target === source) || (scope === "agent" && target === request.agent),
  );
  return pause?.reason ?? null;
}

/**
 * The policies that decided a refusal: those that deny a group of the tool, or that offer it on request. No policy decides
 * where none grants the tool, or where another step hides it.
 */
function policiesBehind(reason: string, id: string | null, context: CallContext): readonly string[] {
  const { matchedPolicies } = context.resolution;
  const { snapshot, request, now } = context;
  if (reason === "access_requestable" && id !== null)
    return offersOf(snapshot.index, request, id, now).map(({ name }) => name);
  const { tools, groups, policies } = snapshot.index;
  const number = tools.numberOf.get(id ?? "");
  if (reason !== "denied_by_policy" || number === undefined) return [];
  const own = groups.groupSets[groups.groupSetOf[number] ?? 0]?.members ?? [];
  // A deny with argument conditions hides no tool.
  const denies = policies
    .filter((one) => one.policy.effect === "deny" && one.arguments.length === 0)
    .filter((one) => own.some((group) => one.groups.includes(group)))
    .map(({ policy }) => policy.name);
  return matchedPolicies.filter((name) => denies.includes(name));
}

/** The matching policies that grant one of a visible tool's groups, in evaluation order. */
export function grantingPolicies(visible: ResolvedTool, { snapshot, resolution }: CallContext): readonly string[] {
  const policies = policiesOf(snapshot.index);
  return resolution.matchedPolicies.filter((name) => {
    const grant = grantBehind(name);
    if (grant !== null) return isGrantOf(snapshot.index, grant, visible);
    const policy = policies.get(name);
    if (policy?.effect !== "allow") return false;
    return policy.groups.some((group) => group === "*" || visible.groups.includes(group));
  });
}

/** Whether an access grant (by id) is one of a visible tool's: a caller may have grants of several tools. */
function isGrantOf({ config }: Index, grant: string, { tool, groups }: ResolvedTool): boolean {
  if (!groups.includes(accessGroupName(tool.id))) return false;
  return config.accessGrants.some(({ id, tool: granted }) => id === grant && granted === tool.id);
}

/** Policies by name, built once per revision, so that no call searches all policies. */
const policiesOf = oncePer(
  ({ config }: Index): ReadonlyMap<string, Policy> => new Map(config.policies.map((policy) => [policy.name, policy])),
);
