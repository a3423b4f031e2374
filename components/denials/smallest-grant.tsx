"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Impact } from "@/components/impact/impact";
import { RuleLink } from "@/components/preview/results/rule-link";
import { keepDraft } from "@/components/resource/editor/kept-draft";
import { useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { WithCode } from "@/components/ui/json/with-code";
import type { DenialDetail } from "@/lib/contracts/decisions/denial";
import { can } from "@/lib/resources/permissions";

/** How many tools are named before the rest are counted. */
const NAMED = 5;

/** A policy that would allow the call: its description, its effect, and a link to save it. */
export function SmallestGrant({ grant: { policy, brings, remaining } }: { grant: NonNullable<DenialDetail["grant"]> }) {
  const router = useRouter();
  const { role } = useWho();
  const [impact, setImpact] = useState(false);
  const [group = ""] = policy.groups;
  const named = brings.slice(0, NAMED);
  return (
    <section aria-label="Smallest grant" className="flex flex-col gap-3 rounded-lg border border-line p-4">
      <h2 className="text-sm font-semibold">Smallest grant that would allow it</h2>
      <p className="text-sm">
        A policy for this caller alone that grants <RuleLink rule={{ kind: "group", name: group }} />, the smallest
        group with the tool.
      </p>
      <p className="text-sm text-muted">
        {brings.length === 0
          ? "Nothing else comes with it."
          : `With it ${brings.length === 1 ? "comes another tool" : `come ${brings.length.toLocaleString("en")} other tools`}: ${named.join(", ")}${brings.length > NAMED ? " …" : ""}`}
      </p>
      {remaining.length > 0 && (
        <div className="text-sm">
          <p className="text-warn">That is not enough. Also:</p>
          <ul className="list-disc pl-5">
            {remaining.map((text) => (
              <li key={text}>
                <WithCode text={text} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {impact && <Impact change={{ resource: "policies", id: null, input: policy }} className="max-h-96" />}
      <div className="flex flex-wrap gap-2">
        {can(role, "configuration:write") && (
          <Button variant="primary" onClick={() => router.push(keepDraft("policies", policy) as Route)}>
            Open as a draft policy
          </Button>
        )}
        <Button aria-expanded={impact} onClick={() => setImpact(!impact)}>
          {impact ? "Hide what it would do" : "What it would do"}
        </Button>
      </div>
    </section>
  );
}
