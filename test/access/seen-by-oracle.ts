import { missingCapabilities } from "@/test/access/oracle/capabilities";
import { consultOracle, oracleRefusal } from "@/test/access/oracle/resolve";
import { recordOf, type Call, type Question, type Seen } from "@/test/access/seen";

/** The oracle's answer. */
export function seenByOracle(question: Question, calls: readonly Call[] = []): Seen {
  const { configuration, request, now } = question;
  const answer = consultOracle(configuration, request, now);
  const id = (tool: { readonly id: string }) => tool.id;
  const firstFailure = (tool: (typeof answer.tools)[number]) => tool.verdicts.find(({ passed }) => !passed);
  const visible = answer.tools.filter((tool) => tool.visible);
  return {
    visible: visible.map(id),
    exposedNames: recordOf(visible, id, (tool) => tool.shown?.exposedName),
    notCallable: visible.filter((tool) => tool.shown?.callable === false).map(id),
    conditional: visible.filter((tool) => tool.shown?.conditional === true).map(id),
    groups: recordOf(visible, id, (tool) => tool.shown?.groups),
    via: recordOf(visible, id, (tool) => tool.shown?.via),
    grants: recordOf(visible, id, (tool) =>
      tool.shown?.via
        .flatMap(({ group, policies }) => policies.map((policy) => `${policy} grants ${group}`))
        .toSorted(),
    ),
    hidden: recordOf(answer.tools, id, (tool) => firstFailure(tool)?.reason ?? undefined),
    decidedBy: recordOf(answer.tools, id, (tool) => firstFailure(tool)?.step),
    failing: recordOf(answer.tools, id, (tool) =>
      tool.verdicts.flatMap(({ step, reason }) => (reason === null ? [] : [[step, reason] as const])),
    ),
    missingCapabilities: recordOf(configuration.tools, id, (tool) =>
      missingCapabilities(tool.requiredCapabilities, request.capabilities),
    ),
    fixes: recordOf(answer.tools, id, (tool) => tool.fix?.size),
    fixGroups: recordOf(answer.tools, id, (tool) => tool.fix?.group ?? undefined),
    next: recordOf(answer.tools, id, (tool) => tool.next),
    grantedGroups: answer.grantedGroups,
    requestedGroups: answer.requestedGroups,
    unknownGroups: answer.unknownGroups,
    state: answer.state,
    machine: answer.machine,
    profiles: answer.profiles,
    mode: answer.mode,
    tier: answer.tier,
    matchedPolicies: answer.matchedPolicies,
    requestable: answer.requestable,
    policies: answer.policies.map((policy) => (policy.skipped === null ? policy : { ...policy, matchers: [] })),
    groupTraces: answer.groups,
    funnel: answer.funnel,
    refusals: calls.map((call) => {
      const tool = configuration.tools.find((candidate) => candidate.id === call.tool);
      if (tool === undefined || !visible.some(({ id: shown }) => shown === tool.id)) return "no allow";
      const refusal = oracleRefusal(configuration, request, tool, call.arguments, now);
      return refusal === null ? null : (refusal.policy ?? "no allow");
    }),
  };
}
