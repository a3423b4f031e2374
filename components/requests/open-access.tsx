import { STEP_WORDS } from "@/lib/contracts/decisions/reason-words";
import { useCan } from "@/components/resource/who";
import { useGet } from "@/components/resource/use-get";
import { ErrorNote } from "@/components/ui/error-note";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Page } from "@/lib/contracts/changes/list";
import type { RequestRow } from "@/lib/contracts/changes/request";
import type { ExplanationOutput, PreviewOutput } from "@/lib/contracts/decisions/preview";

interface OpenAccessProps {
  explanation: Pick<ExplanationOutput, "toolId" | "reason" | "steps">;
  claims: PreviewOutput["claims"];
}

/** The steps that granting an access request passes. */
const GRANTED: readonly string[] = ["policy", "group"];

/** The open request of the caller for a hidden tool: granting it for some hours is less than a change of a rule. */
export function OpenAccess({ explanation: { toolId, reason, steps }, claims: { iss, sub } }: OpenAccessProps) {
  const search = new URLSearchParams({ target: toolId, status: "open", limit: "500" });
  const { data, error } = useGet<Page<RequestRow>>(
    ["requests", "open", search.toString()],
    `/api/admin/access-requests?${search}`,
    { enabled: useCan("executions:read") },
  );
  if (data === undefined && error !== null)
    return <ErrorNote text={`The open requests for this tool could not be loaded. ${error.message}`} />;
  const open = data?.items.find(({ caller }) => caller?.issuer === iss && caller?.subject === sub);
  if (open === undefined || open.facts.kind !== "access") return null;
  const stops = reason === "denied_by_policy" || reason === "paused" ? [] : GRANTED;
  const left = steps.filter(({ step, passed }) => !passed && !stops.includes(step)).map(({ step }) => STEP_WORDS[step]);
  return (
    <section
      aria-label="Open request"
      className="flex flex-col gap-1 rounded-md border border-line bg-panel px-3 py-2.5 text-sm"
    >
      <h3 className="text-xs font-medium text-muted">Already requested</h3>
      <p>
        {open.asker.name} asked for this tool <Time at={open.at} />, for {open.facts.hours}{" "}
        {open.facts.hours === 1 ? "hour" : "hours"}. To grant it for a time,{" "}
        <TextLink href={`/admin/requests/${encodeURIComponent(open.id)}`}>open the request</TextLink>.
      </p>
      {left.length > 0 && (
        <p className="text-warn">Granting it is not enough. The tool also fails these steps: {left.join(", ")}.</p>
      )}
    </section>
  );
}
