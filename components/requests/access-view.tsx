import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, TimerOff, X } from "lucide-react";
import { useState } from "react";
import { CallerName } from "@/components/agents/caller-name";
import { agentOfRequest } from "@/components/agents/credential-words";
import { Countdown } from "@/components/approvals/approval-words";
import { STILL_WAITS } from "@/components/denials/grant-words";
import { accessAnswerInWords } from "@/components/requests/request-words";
import { pollWhileOpen } from "@/components/requests/use-requests";
import { adminPath, request } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { ReasonDialog } from "@/components/ui/overlays/reason-dialog";
import { toast } from "@/components/ui/overlays/toast";
import { WithCode } from "@/components/ui/json/with-code";
import { Fact, Facts } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { accessPolicyName } from "@/lib/access/model/access-names";
import type { AccessDetail } from "@/lib/contracts/changes/access";

type Ending = "approve" | "refuse" | "end";

/** An access request: its terms, its answer, and its grant with the calls made under it. */
export function AccessRequest({ id }: { id: string }) {
  const found = useGet<AccessDetail>(["requests", "access", id], adminPath("access-requests", id), {
    refetchInterval: pollWhileOpen,
  });
  return (
    <WhenLoaded of={found} skeleton="h-40">
      {(access) => (
        <div className="flex flex-col gap-5">
          <AccessAnswer access={access} />
          <Terms access={access} />
        </div>
      )}
    </WhenLoaded>
  );
}

/** The argument conditions of the request policy; of an ended grant as they were when it was granted. */
function Conditions({ texts, wasThen }: { texts: readonly string[]; wasThen: boolean }) {
  if (texts.length === 0) return null;
  return <WithCode text={`Only when ${texts.join(" and ")}${wasThen ? ", when it was granted" : ""}`} />;
}

function Terms({ access }: { access: AccessDetail }) {
  const { facts, policy, conditions, ended, grant, maxHours, caller, asker, id } = access;
  if (facts.kind !== "access") return null;
  return (
    <section aria-label="Access">
      <Facts>
        <Fact label="Tool">
          <TextLink href={`/admin/tools/${encodeURIComponent(facts.tool)}`}>{facts.tool}</TextLink>
        </Fact>
        {caller !== null && (
          <Fact label="Caller">
            <CallerName caller={{ ...caller, agent: agentOfRequest(caller, asker.name) }} />
          </Fact>
        )}
        <Fact label="Hours requested">
          {facts.hours} h{maxHours !== null && <span className="text-muted"> of at most {maxHours} h</span>}
        </Fact>
        <Fact label="Request policy">
          <TextLink href={`/admin/policies/${encodeURIComponent(policy)}`}>{policy}</TextLink>
          <span className="block empty:hidden">
            <Conditions texts={conditions} wasThen={ended} />
          </span>
        </Fact>
        {grant !== null && (
          <>
            <Fact label="Granted">
              <Time at={grant.from} exact /> to <Time at={grant.until} exact /> by {grant.by}
            </Fact>
            {grant.endedBy !== null && <Fact label="Ended by">{grant.endedBy}</Fact>}
            <Fact label="Calls">
              <TextLink href={`/admin/executions?${new URLSearchParams({ policy: accessPolicyName(id) })}`}>
                Every call under this grant
              </TextLink>
            </Fact>
          </>
        )}
      </Facts>
    </section>
  );
}

function AccessAnswer({ access }: { access: AccessDetail }) {
  const [ending, setEnding] = useState<Ending | null>(null);
  const { status, own, mayAnswer, mayEnd, closesAt, grant } = access;
  if (status !== "open" && !mayEnd) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-panel px-3 py-2">
      <p className="min-w-0 flex-1 text-sm text-muted max-sm:basis-full">
        {status === "open" ? (
          <>
            {accessAnswerInWords({ mayAnswer, own })} <Countdown until={closesAt} />
          </>
        ) : (
          grant !== null && (
            <>
              The caller has this tool until <Time at={grant.until} exact />. Its state machine still applies.
            </>
          )
        )}
      </p>
      {status === "open" && mayAnswer && (
        <>
          <Button onClick={() => setEnding("refuse")}>
            <X aria-hidden /> Refuse
          </Button>
          <Button variant="primary" onClick={() => setEnding("approve")}>
            <Check aria-hidden /> Grant access
          </Button>
        </>
      )}
      {mayEnd && (
        <Button onClick={() => setEnding("end")}>
          <TimerOff aria-hidden /> End access
        </Button>
      )}
      {ending !== null && <EndingDialog access={access} ending={ending} onClose={() => setEnding(null)} />}
    </div>
  );
}

const WORDS = {
  approve: {
    action: "Grant access",
    effect: "The tool is in the caller's list at once, for the hours below. Its state machine still applies.",
  },
  refuse: { action: "Refuse access", effect: "The request ends." },
  end: { action: "End access", effect: "The tool leaves the caller's list at once." },
} as const;

interface EndingDialogProps {
  access: AccessDetail;
  ending: Ending;
  onClose: () => void;
}

function EndingDialog({ access, ending, onClose }: EndingDialogProps) {
  const { id, hash, facts, target, asker } = access;
  const most = facts.kind === "access" ? facts.hours : 1;
  const [hours, setHours] = useState(String(most));
  const client = useQueryClient();
  const answer = useMutation({
    mutationFn: (reason: string) => {
      const body = { end: undefined, refuse: { reason }, approve: { hash, hours: Number(hours), reason } }[ending];
      return request<AccessDetail>(adminPath("access-requests", id, ending), { method: "POST", ...(body && { body }) });
    },
    onSuccess: () => {
      toast({ title: ending === "approve" ? `Granted for ${hours} h` : ending === "refuse" ? "Refused" : "Ended" });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["requests"] }),
  });
  const { action, effect } = WORDS[ending];
  const shared = {
    title: `${action} to ${target} for ${asker.name}`,
    description: effect,
    action,
    pending: answer.isPending,
    error: answer.error?.message,
  };
  if (ending === "end")
    return <ActionDialog {...shared} tone="danger" onAct={() => answer.mutate("")} onClose={onClose} />;
  const isRight = ending === "refuse" || isBetween(Number(hours), 1, most);
  return (
    <ReasonDialog
      {...shared}
      tone={ending === "approve" ? "primary" : "danger"}
      disabled={!isRight}
      hint={ending === "approve" ? "Stored with the request" : "The caller receives this reason"}
      onSend={(reason) => answer.mutate(reason)}
      onClose={onClose}
    >
      {ending === "approve" && (
        <>
          <p className="mb-3 text-sm empty:hidden">
            <Conditions texts={access.conditions} wasThen={false} />
          </p>
          {access.needsApproval && <p className="mb-3 text-sm text-warn">{STILL_WAITS}</p>}
          <Field
            label="Hours"
            hint={`At most ${most}, as requested`}
            error={isRight ? undefined : `Enter 1 to ${most} hours`}
            path="hours"
          >
            <Input value={hours} inputMode="numeric" onChange={(event) => setHours(event.target.value)} />
          </Field>
        </>
      )}
    </ReasonDialog>
  );
}

function isBetween(number: number, least: number, most: number): boolean {
  return Number.isInteger(number) && number >= least && number <= most;
}
