import { Measurement } from "@/components/impact/impact";
import { adminPath } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { WithCode } from "@/components/ui/json/with-code";
import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/text-link";
import type { RequestDetail, RequestImpact } from "@/lib/contracts/changes/request";
import type { ImpactCaller } from "@/lib/contracts/decisions/impact";

/** Callers that this section names. The impact below lists all of them. */
const MAX_GAINING_CALLERS = 5;

/** What an open change request would do to callers and recent calls, measured when the page opens. */
export function RequestImpactSection({ request: { id, status } }: { request: RequestDetail }) {
  const isOpen = status === "open";
  // Measured against the present configuration, so an old answer is never shown.
  const measured = useGet<RequestImpact>(["requests", "impact", id], adminPath("requests", id, "impact"), {
    enabled: isOpen,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (!isOpen) return null;
  return (
    <section aria-label="Impact" aria-busy={measured.isFetching} className="flex flex-col gap-2">
      <h2 className="text-sm font-medium">Impact</h2>
      <WhenLoaded of={measured} skeleton="h-32">
        {({ impact }) =>
          impact === null ? (
            <p className="text-sm text-muted">These changes do not affect tools or calls.</p>
          ) : (
            <>
              <GainingCallers callers={impact.callers} />
              <div className="@container rounded-lg border border-line bg-panel">
                <Measurement impact={impact} />
              </div>
            </>
          )
        }
      </WhenLoaded>
    </section>
  );
}

/** Recent callers who would gain tools, as examples of what the change permits. */
function GainingCallers({ callers }: { callers: readonly ImpactCaller[] }) {
  const gaining = callers.filter(({ callId, gained }) => callId !== null && gained.count > 0);
  if (gaining.length === 0) return null;
  return (
    <ul aria-label="Recent callers who gain tools" className="flex flex-col gap-1 text-sm">
      {gaining.slice(0, MAX_GAINING_CALLERS).map(({ kind, name, issuer, callId, gained }) => (
        <li key={callId} className="flex flex-wrap items-baseline gap-x-2">
          <span title={issuer ?? undefined} className="font-medium">
            {name}
          </span>
          <Badge tone="outline">{kind}</Badge>
          <WithCode text={gainedInWords(gained)} />
          <TextLink href={`/admin/executions/${encodeURIComponent(callId ?? "")}`}>latest call</TextLink>
        </li>
      ))}
      {gaining.length > MAX_GAINING_CALLERS && (
        <li className="text-muted">{gaining.length - MAX_GAINING_CALLERS} more recent callers gain tools</li>
      )}
    </ul>
  );
}

function gainedInWords({ count, tools }: ImpactCaller["gained"]): string {
  const [first] = tools;
  const named = first === undefined ? "tools" : `\`${first.toolId}\``;
  return count > 1 ? `gains ${named} and ${count - 1} more` : `gains ${named}`;
}
