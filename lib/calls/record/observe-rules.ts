import {
  listChanges,
  observedIn,
  rulesMatching,
  type ListChange,
  type Observed,
  type ObservedRule,
} from "@/lib/access/decide/observed";
import { compareCall } from "@/lib/access/decide/observed-call";
import type { Resolution } from "@/lib/access/decide/resolution";
import { BoundedCache } from "@/lib/access/model/bounded-cache";
import { boundArguments } from "@/lib/calls/pipeline/argument-bounds";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import type { CallContext } from "@/lib/calls/pipeline/call-context";
import type { AuthorizedCall } from "@/lib/calls/pipeline/decide";
import { log } from "@/lib/telemetry/log";
import { noteObservedCall, noteObservedList, type CountedRule } from "@/lib/store/observed/record";

/** Refusals by rules. Any other refusal does not depend on the mode of a rule. */
const BY_RULES: ReadonlySet<string> = new Set(["tool_not_available", "access_requestable", "arguments_refused"]);

/**
 * Decides an answered call again with all observed rules enforced, and notes where it differs
 * (docs/reference/governance.md#observe). Changes nothing in the answer. A trial, and the start of a call that was noted
 * when it was accepted, do not count.
 */
export function observeRules(call: Call, context: CallContext, decision: AuthorizedCall | Refusal): void {
  tryTo(call.requestId, () => noteCall(call, context, decision));
}

/** The answer of a call or a list must not depend on observed rules, so their failure is only logged. */
function tryTo(requestId: string | null, note: () => void): void {
  try {
    note();
  } catch (error) {
    log.error({ requestId, err: error }, "Observed rules could not be compared.");
  }
}

function noteCall(call: Call, context: CallContext, decision: AuthorizedCall | Refusal): void {
  const observed = observedIn(context.snapshot.index);
  const toolId = "code" in decision ? (decision.toolId ?? null) : decision.tool.id;
  if (observed === null || toolId === null || call.door === "try" || call.mode === "resumed") return;
  const { snapshot, request, now, caller } = context;
  const isAllowed = !("code" in decision);
  const compared = { request, toolId, args: argumentsOf(call, decision), isAllowed };
  const { matching, wouldBe } = compareCall(snapshot.index, observed, compared, now);
  if (matching.length === 0) return;
  const found = isAllowed || BY_RULES.has(decision.code) ? wouldBe : null;
  noteObservedCall({
    callId: call.callId,
    at: new Date(call.at),
    toolId,
    caller: callerOf(caller),
    matching: matching.map((rule) => withRevision(observed, rule)),
    wouldBe: found === null ? null : { ...found, rule: withRevision(observed, found.rule) },
  });
}

function argumentsOf(call: Call, decision: AuthorizedCall | Refusal) {
  if (!("code" in decision)) return decision.arguments;
  const bounded = boundArguments(call.arguments);
  return bounded.ok ? bounded.value : null;
}

/** The most changed tools that are noted for one list. */
const MAX_CHANGES = 100;

/** The most changes that are cached for one list, because any number of callers may share it. */
const MAX_CACHED = 2_000;

/** By list, the changes for each set of matching rules: callers with one cached list may match different rules. */
const changesOf = new WeakMap<Resolution, BoundedCache<readonly ListChange[]>>();

/** Notes the tools by which a caller's list would differ with all observed rules enforced. */
export function observeList(context: CallContext): void {
  tryTo(null, () => noteList(context));
}

function noteList({ snapshot, request, resolution, now, caller }: CallContext): void {
  const observed = observedIn(snapshot.index);
  if (observed === null) return;
  const matching = rulesMatching(observed, request, now);
  if (matching.length === 0) return;
  // An access grant under an observed request policy belongs to one caller.
  const whose = snapshot.index.config.accessGrants.length > 0 ? caller.principal : null;
  const key = JSON.stringify([matching, whose]);
  const cache = changesOf.get(resolution) ?? new BoundedCache<readonly ListChange[]>(MAX_CACHED);
  changesOf.set(resolution, cache);
  const known = cache.get(key);
  const changes = known ?? listChanges(snapshot.index, observed, request, matching, now, MAX_CHANGES);
  if (known === undefined) cache.set(key, changes, 1 + changes.length);
  if (changes.length === 0) return;
  noteObservedList({
    at: new Date(now),
    caller: callerOf(caller),
    changes: changes.map((change) => ({ ...change, rule: withRevision(observed, change.rule) })),
  });
}

function callerOf({ principal: { issuer, subject, agent } }: CallContext["caller"]) {
  return { issuer, subject, agent };
}

/** Caches rules with their revision. */
const counted = new WeakMap<ObservedRule, CountedRule>();

/** Adds the revision of the rule's last edit; 0 for the replacement of a row that does not parse. */
function withRevision({ enforced: { config } }: Observed, rule: ObservedRule): CountedRule {
  const known = counted.get(rule);
  if (known !== undefined) return known;
  const rows: readonly { readonly name: string; readonly revision?: number }[] =
    rule.kind === "policy" ? config.policies : config.flows;
  const made = { ...rule, revision: rows.find(({ name }) => name === rule.name)?.revision ?? 0 };
  counted.set(rule, made);
  return made;
}
