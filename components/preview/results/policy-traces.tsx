import { Check, X } from "lucide-react";
import { useState } from "react";
import { RuleLink } from "@/components/preview/results/rule-link";
import { Badge } from "@/components/ui/badge";
import { EffectBadge } from "@/components/views/rules/effect-badge";
import { TextLink } from "@/components/ui/text-link";
import { Button } from "@/components/ui/button";
import { operatorSentence } from "@/lib/access/model/matcher";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

type PolicyTrace = PreviewOutput["trace"]["policies"][number];

interface PolicyTracesProps {
  trace: Pick<PreviewOutput["trace"], "policies" | "morePolicies">;
  /** Names to show first; the others fold away. Absent: those that match. */
  relevant?: ReadonlySet<string> | undefined;
}

/** Policies with the result of each of their matchers. Of thousands, the answer has the first. */
export function PolicyTraces({ trace: { policies, morePolicies }, relevant }: PolicyTracesProps) {
  const [all, setAll] = useState(false);
  const first = policies.filter((policy) => (relevant === undefined ? policy.matched : relevant.has(policy.name)));
  const shown = all ? policies : first;
  const more = policies.length - first.length;
  return (
    <div className="flex flex-col gap-2">
      {shown.map((policy) => (
        <PolicyLine key={policy.name} policy={policy} />
      ))}
      {shown.length === 0 && (
        <p className="text-sm text-muted">No policy {relevant === undefined ? "matches" : "affects this tool"}.</p>
      )}
      {more > 0 && (
        <Button size="sm" variant="ghost" className="-ml-2 self-start" onClick={() => setAll(!all)}>
          {all
            ? "Show fewer"
            : `Show ${morePolicies > 0 ? "the first " : ""}${more.toLocaleString("en")} other ${more === 1 ? "policy" : "policies"}`}
        </Button>
      )}
      {all && morePolicies > 0 && (
        <p className="text-sm text-muted">
          {morePolicies.toLocaleString("en")} more {morePolicies === 1 ? "policy is" : "policies are"} not listed here.{" "}
          <TextLink href="/admin/policies">Open access policies</TextLink>
        </p>
      )}
    </div>
  );
}

function PolicyLine({ policy }: { policy: PolicyTrace }) {
  return (
    <div className="flex flex-col gap-1.5 rounded-md border border-line px-3 py-2">
      <div className="flex flex-wrap items-center gap-1.5">
        <RuleLink rule={{ kind: "policy", name: policy.name }} />
        <EffectBadge effect={policy.effect} />
        <Badge tone={policy.matched ? "accent" : "neutral"}>
          {policy.skipped !== null
            ? policy.skipped.replaceAll("_", " ")
            : policy.matched
              ? "matches"
              : "does not match"}
        </Badge>
        {policy.hasArguments && <Badge tone="outline">argument conditions</Badge>}
        <span className="ml-auto text-xs text-faint">{policy.groups.join(", ")}</span>
      </div>
      {policy.matchers.length > 0 && (
        <ul className="flex flex-col gap-0.5">
          {policy.matchers.map((matcher) => (
            <li
              key={`${matcher.claim} ${matcher.operator} ${JSON.stringify(matcher.expected)}`}
              className="grid grid-cols-[1rem_1fr] items-start gap-1 font-mono text-xs"
            >
              {matcher.held ? (
                <Check aria-label="holds" className="mt-0.5 size-3 text-allow" />
              ) : (
                <X aria-label="does not hold" className="mt-0.5 size-3 text-deny" />
              )}
              <span className="break-words">
                {matcher.claim} {operatorSentence(matcher.operator)}{" "}
                {matcher.expected === null ? "" : JSON.stringify(matcher.expected)}
                <span className="text-faint">
                  {" "}
                  ·{" "}
                  {matcher.actual === undefined
                    ? matcher.outcome.replaceAll("_", " ")
                    : `caller has ${JSON.stringify(matcher.actual)}`}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
