import { useState } from "react";
import { alsoBrings, STILL_WAITS } from "@/components/denials/grant-words";
import { RuleLink } from "@/components/preview/results/rule-link";
import { storeDraft } from "@/components/resource/editor/stored-draft";
import { useGo } from "@/components/resource/go";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { WithCode } from "@/components/ui/json/with-code";
import { lazyPart } from "@/components/ui/lazy-part";
import type { GrantOutput } from "@/lib/contracts/decisions/grant";

const Dialog = lazyPart(async () => (await import("@/components/denials/grant-dialog")).GrantDialog);

interface GrantsProps {
  grants: readonly GrantOutput[];
  /** Absent: says that the first grant is the smallest one. */
  title?: string;
  /** The revision that the grants were computed for. */
  revision: number;
  /** Runs after a grant that is enough was saved, with the policy that it created. */
  onGranted?: ((policy: string) => Promise<unknown>) | undefined;
  /** The caller has the tool for some arguments; a grant gives it for all. */
  liftsConditions?: boolean;
  /** Whether a call of the granted tool waits for an approval. */
  needsApproval?: boolean;
}

/** The grants that would allow a call, smallest first, with the other tools that each would also give. */
export function Grants({ grants, title, revision, onGranted, liftsConditions = false, needsApproval }: GrantsProps) {
  if (grants.length === 0) return null;
  const isEnough = grants[0]?.remaining.length === 0;
  return (
    <section aria-label="Smallest grant" className="flex flex-col gap-3 rounded-lg border border-line p-4">
      <h2 className="text-sm font-semibold">
        {title ?? (isEnough ? "Smallest grant that would allow it" : "Smallest grant (more is needed)")}
      </h2>
      {liftsConditions ? (
        <p className="text-sm text-warn">{LIFTED}</p>
      ) : (
        <p className="text-sm text-muted">A grant allows any arguments. Its policy can limit them afterwards.</p>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {grants.map((grant, index) => (
          <li key={grant.policy.groups.join()} className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
            <OneGrant
              grant={grant}
              revision={revision}
              onGranted={onGranted}
              liftsConditions={liftsConditions}
              needsApproval={needsApproval}
              primary={index === 0 && !liftsConditions}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The consequence of a grant without conditions beside a policy with them. */
const LIFTED =
  "A grant allows any arguments: the argument conditions of other allow policies then no longer restrict this caller.";

interface OneGrantProps extends Pick<GrantsProps, "revision" | "onGranted" | "liftsConditions"> {
  grant: GrantOutput;
  primary: boolean;
  needsApproval: boolean | undefined;
}

function OneGrant({ grant, revision, onGranted, liftsConditions = false, needsApproval, primary }: OneGrantProps) {
  const go = useGo();
  const mayWrite = useCan("configuration:write");
  const [granting, setGranting] = useState(false);
  const { group, policy, brings, remaining } = grant;
  return (
    <>
      <p className="text-sm">
        {group === null ? <RuleLink rule={{ kind: "group", name: policy.groups[0] ?? "" }} /> : "This tool alone"}
        {group === null && <span className="text-muted"> · {alsoBrings(brings)}</span>}
      </p>
      {remaining.map((text) => (
        <p key={text} className="text-sm text-warn">
          Also needed: <WithCode text={text} />
        </p>
      ))}
      {mayWrite && (
        <div className="flex flex-wrap gap-2">
          <Button variant={primary ? "primary" : "secondary"} size="sm" onClick={() => setGranting(true)}>
            {group === null ? "Grant this group…" : "Grant this tool…"}
          </Button>
          {group === null && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => go(storeDraft("policies", { ...policy, description: "" }))}
            >
              Edit first…
            </Button>
          )}
        </div>
      )}
      {granting && (
        <Dialog
          grant={grant}
          revision={revision}
          warnings={[...(liftsConditions ? [LIFTED] : []), ...(needsApproval === true ? [STILL_WAITS] : [])]}
          onGranted={onGranted}
          onClose={() => setGranting(false)}
        />
      )}
    </>
  );
}
