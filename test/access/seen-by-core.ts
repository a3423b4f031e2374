import { checkArguments } from "@/lib/access/decide/arguments";
import { compile, type Index } from "@/lib/access/compile/compile";
import { explain, trace } from "@/lib/access/explain/explain";
import { reasons } from "@/lib/access/explain/hidden";
import { nextState } from "@/lib/access/compile/machines";
import { resolve } from "@/lib/access/decide/resolve";
import type { Explanation } from "@/lib/access/decide/resolution";
import { recordOf, type Call, type Question, type Seen } from "@/test/access/seen";

/** The core's answer through all of its functions; `index` belongs to the configuration, however it was built. */
export function seenByCore(
  question: Question,
  calls: readonly Call[] = [],
  index: Index = compile(question.configuration),
): Seen {
  const { configuration, request, now } = question;
  const resolution = resolve(index, request, now);
  const {
    state,
    machine,
    profiles,
    mode,
    tier,
    grantedGroups,
    requestedGroups,
    unknownGroups,
    matchedPolicies,
    tools,
  } = resolution;
  const hidden = reasons(index, request, now);
  return {
    visible: tools.map(({ tool }) => tool.id),
    exposedNames: recordOf(tools, idOf, ({ exposedName }) => exposedName),
    notCallable: tools.filter(({ callable }) => !callable).map(idOf),
    conditional: tools.filter(({ conditional }) => conditional).map(idOf),
    groups: recordOf(tools, idOf, ({ groups }) => groups),
    hidden: recordOf(hidden, idOf, ({ reason }) => reason),
    decidedBy: recordOf(hidden, idOf, ({ decidedBy }) => decidedBy),
    next: recordOf(
      configuration.tools,
      ({ id }) => id,
      ({ id }) => nextState(index, machine, state, id),
    ),
    grantedGroups,
    requestedGroups,
    unknownGroups,
    state,
    machine,
    profiles,
    mode,
    tier,
    matchedPolicies,
    requestable: resolution.requestable.map(({ id }) => id),
    refusals: calls.map((call) => {
      const verdict = checkArguments(index, request, call.tool, call.arguments, now);
      return verdict.allowed ? null : (verdict.policy ?? "no allow");
    }),
    ...explainedByCore(index, question),
  };
}

/** The core's answer with reasons: the same facts must follow from them. */
function explainedByCore(
  index: Index,
  { configuration, request, now }: Question,
): Pick<
  Seen,
  "via" | "grants" | "failing" | "missingCapabilities" | "fixes" | "fixGroups" | "policies" | "groupTraces" | "funnel"
> {
  const explanations = configuration.tools
    .map(({ id }) => explain(index, request, id, now))
    .filter((found) => found !== null);
  const { policies, groups, steps } = trace(index, request, now);
  return {
    via: recordOf(explanations, idOf, (found) => (found.visible ? found.via : undefined)),
    grants: recordOf(explanations, idOf, ({ visible, grantsToRemove }) =>
      visible ? grantsToRemove.map(({ policy, group }) => `${policy} grants ${group}`).toSorted() : undefined,
    ),
    failing: recordOf(explanations, idOf, failingSteps),
    missingCapabilities: recordOf(explanations, idOf, ({ capabilities }) => capabilities.missing),
    fixes: recordOf(explanations, idOf, ({ fix }) => fix?.size),
    fixGroups: recordOf(explanations, idOf, groupOfFix),
    policies: policies.map(({ name, skipped, matched, matchers }) => ({
      name,
      skipped,
      matched,
      matchers: skipped === null ? matchers.map(({ outcome, held }) => ({ outcome, held })) : [],
    })),
    groupTraces: groups.map(({ error: _error, ...group }) => group).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    funnel: steps,
  };
}

function failingSteps({ steps }: Explanation): Seen["failing"][string] {
  return steps.flatMap(({ step, reason }) => (reason === null ? [] : [[step, reason] as const]));
}

function groupOfFix({ fix }: Explanation): string | undefined {
  return fix?.changes.flatMap(({ refs }) => refs).find(({ kind }) => kind === "group")?.name;
}

function idOf({ tool }: { readonly tool: { readonly id: string } }): string {
  return tool.id;
}
