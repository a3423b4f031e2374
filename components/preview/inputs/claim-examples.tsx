import { claimsOfPolicy } from "@/components/preview/inputs/claims-of-policy";
import { useList } from "@/components/resource/list/use-list";
import { Button } from "@/components/ui/button";

/** Examples shown: enough to begin with. */
const MAX_SHOWN = 5;

type Claims = Readonly<Record<string, unknown>>;

interface ClaimExamplesProps {
  /** The present claims, which an example adds to. */
  claims: Claims;
  onTake: (claims: Claims) => void;
}

/** The claims for which stored policies grant tools, each to add with one press. Nothing without such a policy. */
export function ClaimExamples({ claims: present, onTake }: ClaimExamplesProps) {
  const { rows } = useList("policies", { limit: 200 });
  const examples = new Map(
    rows.flatMap((policy) => {
      const claims = policy.active && policy.effect === "allow" ? claimsOfPolicy(policy) : null;
      const isPresent = inWords({ ...present, ...claims }) === inWords(present);
      return claims === null || isPresent ? [] : [[inWords(claims), { policy: policy.name, claims }] as const];
    }),
  );
  if (examples.size === 0) return null;
  return (
    <div role="group" aria-label="Examples" className="flex flex-wrap items-center gap-1 text-xs">
      <span className="text-muted">Add claims of a policy:</span>
      {[...examples].slice(0, MAX_SHOWN).map(([words, { policy, claims }]) => (
        <Button
          key={words}
          size="sm"
          title={`Of the policy ${policy}`}
          onClick={() => onTake({ ...present, ...claims })}
        >
          {words}
        </Button>
      ))}
    </div>
  );
}

function inWords(claims: Claims): string {
  return Object.entries(claims)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
