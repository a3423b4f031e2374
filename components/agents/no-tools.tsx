import { storeDraft } from "@/components/resource/editor/stored-draft";
import { useGo } from "@/components/resource/go";
import { useCan } from "@/components/resource/who";
import { useResume, whatOf } from "@/components/pause/change-pauses";
import { useStopOfAgent } from "@/components/pause/use-pauses";
import { Button } from "@/components/ui/button";
import { upperFirst } from "@/components/ui/text/letter-case";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";
import { BLANK_POLICY } from "@/lib/access/model/blank-rows";
import type { Reason } from "@/lib/access/decide/resolution";
import { OWN_ISSUER } from "@/lib/access/model/claims";
import { equals } from "@/lib/access/model/matcher";
import type { Input, Row } from "@/lib/resources";
import type { PauseRow } from "@/lib/resources/pause";

/** Reasons of tools that no policy grants. */
const NOT_GRANTED: ReadonlySet<Reason> = new Set(["no_policy_grant", "access_requestable", "not_in_granted_group"]);

/** Why an agent sees no tools, from the reasons for which they are hidden. */
export function NoTools({ row, reasons }: { row: Row<"agents">; reasons: ReadonlySet<Reason> }) {
  const pause = useStopOfAgent(row.name);
  if (pause !== null) return <PausedTools pause={pause} />;
  if ([...reasons].some((reason) => !NOT_GRANTED.has(reason)))
    return <p className="text-sm text-muted">It sees no tools. The preview shows why each one is hidden.</p>;
  return <NoToolsYet row={row} />;
}

/** Who paused the calls of an agent, or all calls, and why; with a button that resumes them. */
export function PausedTools({ pause }: { pause: PauseRow }) {
  const mayResume = useCan("pause:write");
  const resume = useResume();
  return (
    <div className="flex flex-col items-start gap-2 text-sm">
      <p className="text-muted">
        {upperFirst(whatOf(pause))} are paused by {pause.by}, <Time at={pause.since} />:{" "}
        <VisibleText text={pause.reason} />. This agent sees no tools until somebody resumes them.
      </p>
      {mayResume && (
        <Button size="sm" pending={resume.isPending} onClick={() => resume.mutate(pause)}>
          Resume {whatOf(pause)}
        </Button>
      )}
    </div>
  );
}

/** With a button that drafts the agent's first policy. */
function NoToolsYet({ row }: { row: Row<"agents"> }) {
  const go = useGo();
  const mayWrite = useCan("configuration:write");
  return (
    <div className="flex flex-col items-start gap-2 text-sm">
      <p className="text-muted">No policy grants this agent a group of tools.</p>
      {mayWrite && (
        <Button size="sm" onClick={() => go(storeDraft("policies", policyFor(row)))}>
          New access policy for {row.name}
        </Button>
      )}
    </div>
  );
}

/** A policy for the API keys of an agent. The claims of an agent with tokens of an issuer are not known here. */
function policyFor({ name, issuer }: Row<"agents">): Input<"policies"> {
  return {
    ...BLANK_POLICY,
    name: `${name}-tools`.slice(0, 63),
    matchers: issuer === null ? [equals("iss", OWN_ISSUER), equals("sub", name)] : [],
  };
}
