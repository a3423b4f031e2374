import { claimsOfPolicy } from "@/components/preview/inputs/claims-of-policy";
import { useList } from "@/components/resource/list/use-list";
import { Button } from "@/components/ui/button";
import type { JsonObject } from "@/lib/access/model/configuration";

/** Examples shown: enough to begin with. */
const MAX_SHOWN = 5;

interface ClaimExamplesProps {
  onTake: (claims: JsonObject) => void;
}

/** The claims for which stored policies grant tools, each to take with one press. Nothing without such a policy. */
export function ClaimExamples({ onTake }: ClaimExamplesProps) {
  const { rows } = useList("policies", { limit: 200 });
  const examples = new Map(
    rows.flatMap((policy) => {
      const claims = policy.active && policy.effect === "allow" ? claimsOfPolicy(policy) : null;
      return claims === null ? [] : [[inWords(claims), { policy: policy.name, claims }] as const];
    }),
  );
  if (examples.size === 0) return null;
  return (
    <div role="group" aria-label="Examples" className="flex flex-wrap items-center gap-1 text-xs">
      <span className="text-muted">Claims of a policy:</span>
      {[...examples].slice(0, MAX_SHOWN).map(([words, { policy, claims }]) => (
        <Button key={words} size="sm" title={`Of the policy ${policy}`} onClick={() => onTake(claims)}>
          {words}
        </Button>
      ))}
    </div>
  );
}

function inWords(claims: JsonObject): string {
  return Object.entries(claims)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
