"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, TimerOff, X } from "lucide-react";
import { useState } from "react";
import { Countdown } from "@/components/approvals/approval-words";
import { request } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Textarea } from "@/components/ui/forms/textarea";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { toast } from "@/components/ui/overlays/toast";
import { Fact, Facts } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { accessPolicyName } from "@/lib/access/model/access-names";
import type { AccessDetail } from "@/lib/contracts/changes/access";

type Ending = "approve" | "refuse" | "end";

/** An access request: its terms, its answer, and its grant with the calls made under it. */
export function AccessRequest({ id }: { id: string }) {
  const found = useGet<AccessDetail>(["requests", "access", id], addressOf(id));
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

function Terms({ access: { facts, policy, grant, maxHours, caller, id } }: { access: AccessDetail }) {
  if (facts.kind !== "access") return null;
  return (
    <section aria-label="Access">
      <Facts>
        <Fact label="Tool">
          <TextLink href={`/admin/tools/${encodeURIComponent(facts.tool)}`}>{facts.tool}</TextLink>
        </Fact>
        <Fact label="Caller">
          {caller?.subject} <span className="text-faint">· {caller?.issuer}</span>
        </Fact>
        <Fact label="Requested">
          {facts.hours} h{maxHours !== null && <span className="text-muted"> of at most {maxHours} h</span>}
        </Fact>
        <Fact label="Request policy">
          <TextLink href={`/admin/policies/${encodeURIComponent(policy)}`}>{policy}</TextLink>
        </Fact>
        {grant !== null && (
          <>
            <Fact label="Granted">
              <Time at={grant.from} /> to <Time at={grant.until} /> by {grant.by}
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
  const { status, own, mayAnswer, mayEnd, closesAt } = access;
  if (status !== "open" && !mayEnd) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-panel px-3 py-2">
      <p className="min-w-0 flex-1 text-sm text-muted max-sm:basis-full">
        {status === "open" ? (
          <>
            {mayAnswer ? "This caller waits for your answer." : reasonWhyNot(own)} <Countdown until={closesAt} />
          </>
        ) : (
          "The caller has this tool now."
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

function reasonWhyNot(own: AccessDetail["own"]): string {
  if (own === "caller") return "You made this request. Another person must answer it.";
  if (own === "agent") return "You created this agent or one of its keys. Another person must answer its request.";
  return "An approver of the request policy must answer this request.";
}

const WORDS = {
  approve: {
    title: "Grant access",
    action: "Grant access",
    says: "The tool joins the caller's list at once, for the hours below.",
  },
  refuse: { title: "Refuse access", action: "Refuse access", says: "The caller receives your reason." },
  end: { title: "End access", action: "End access", says: "The tool leaves the caller's list at once." },
} as const;

interface EndingDialogProps {
  access: AccessDetail;
  ending: Ending;
  onClose: () => void;
}

function EndingDialog({ access, ending, onClose }: EndingDialogProps) {
  const { id, hash, facts } = access;
  const most = facts.kind === "access" ? facts.hours : 1;
  const [hours, setHours] = useState(String(most));
  const [reason, setReason] = useState("");
  const client = useQueryClient();
  const answer = useMutation({
    mutationFn: () => request<AccessDetail>(`${addressOf(id)}/${ending}`, { method: "POST", ...bodyOf() }),
    onSuccess: () => {
      toast({ title: ending === "approve" ? `Granted for ${hours} h` : ending === "refuse" ? "Refused" : "Ended" });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["requests"] }),
  });
  const bodyOf = () => {
    if (ending === "end") return {};
    return { body: ending === "approve" ? { hash, hours: Number(hours), reason } : { reason } };
  };
  const { title, action, says } = WORDS[ending];
  const isRight =
    ending !== "approve" || (Number.isInteger(Number(hours)) && Number(hours) >= 1 && Number(hours) <= most);
  return (
    <ActionDialog
      title={title}
      description={says}
      action={action}
      tone={ending === "approve" ? "primary" : "danger"}
      pending={answer.isPending}
      disabled={!isRight}
      error={answer.error?.message}
      isForm
      onAct={() => answer.mutate()}
      onClose={onClose}
    >
      {ending === "approve" && (
        <Field
          label="Hours"
          hint={`At most ${most}, as requested`}
          error={isRight ? undefined : `Enter 1 to ${most} hours`}
          name="hours"
        >
          <Input value={hours} inputMode="numeric" onChange={(event) => setHours(event.target.value)} />
        </Field>
      )}
      {ending !== "end" && (
        <Field label="Reason (optional)" hint="Kept with the request" name="reason">
          <Textarea value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
        </Field>
      )}
    </ActionDialog>
  );
}

function addressOf(id: string): `/api/${string}` {
  return `/api/admin/access-requests/${encodeURIComponent(id)}`;
}
