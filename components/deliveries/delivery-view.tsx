import { Send } from "lucide-react";
import { DeliveryBadge, Recipient } from "@/components/deliveries/delivery-words";
import { useDelivery, useRedeliver } from "@/components/deliveries/use-deliveries";
import { Peek } from "@/components/resource/peek";
import { ObjectHeading } from "@/components/resource/object-heading";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { useCan } from "@/components/resource/who";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeFact, Fact, Facts, TimeFact } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { WithCode } from "@/components/ui/json/with-code";
import type { DeliveryAttempt, DeliveryDetail } from "@/lib/contracts/agents/delivery";

export function DeliveryPage({ id }: { id: string }) {
  return (
    <WhenLoaded page of={useDelivery(id)} skeleton="m-5 h-64">
      {(delivery) => (
        <DetailLayout label="Delivery" asideLabel="Message and receiver" aside={<DeliveryFacts delivery={delivery} />}>
          <ObjectHeading
            mono
            title={delivery.type}
            badges={<DeliveryBadge status={delivery.status} />}
            copy={{ text: id, what: "delivery id" }}
            path={`deliveries/${encodeURIComponent(id)}`}
            value={delivery}
          >
            <Redeliver id={id} />
          </ObjectHeading>
          <Attempts delivery={delivery} />
        </DetailLayout>
      )}
    </WhenLoaded>
  );
}

/** The same delivery in a peek panel over the list. */
export function DeliveryPeek({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useDelivery(id);
  const href = `/admin/deliveries/${encodeURIComponent(id)}`;
  return (
    <Peek id={id} title={found.data?.type ?? id} description="delivery" href={href} onClose={onClose}>
      <WhenLoaded of={found} skeleton="h-64">
        {(delivery) => (
          <div className="flex flex-col gap-6">
            <div className="flex items-center justify-between gap-2">
              <DeliveryBadge status={delivery.status} />
              <Redeliver id={id} />
            </div>
            <DeliveryFacts delivery={delivery} />
            <Attempts delivery={delivery} />
          </div>
        )}
      </WhenLoaded>
    </Peek>
  );
}

function Redeliver({ id }: { id: string }) {
  const mayWrite = useCan("settings:write");
  const redeliver = useRedeliver(id);
  if (!mayWrite) return null;
  return (
    <Button size="sm" pending={redeliver.isPending} onClick={() => redeliver.mutate()}>
      <Send aria-hidden /> Send again
    </Button>
  );
}

/** Whether a delivery is tried for the first time when its call ends. */
function waitsForCall({ callId, tries }: Pick<DeliveryDetail, "callId" | "tries">): boolean {
  return callId !== null && tries === 0;
}

function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const { id, callId, status, dueAt, note, at } = delivery;
  return (
    <Facts>
      <Fact label="To">
        <Recipient {...delivery} />
      </Fact>
      {callId !== null && (
        <Fact label="Call">
          <TextLink href={`/admin/executions/${encodeURIComponent(callId)}`}>{callId}</TextLink>
        </Fact>
      )}
      <CodeFact label="webhook-id" code={id} />
      <TimeFact label="Created" at={at} />
      {status === "pending" && dueAt !== null && !waitsForCall(delivery) && (
        <TimeFact label="Next attempt" at={dueAt} />
      )}
      {note !== null && (
        <Fact label="Last error">
          <WithCode text={note} />
        </Fact>
      )}
    </Facts>
  );
}

function Attempts({ delivery }: { delivery: DeliveryDetail }) {
  const { attempts, status } = delivery;
  return (
    <section aria-label="Attempts" className="flex flex-col gap-2">
      <h2 className="text-xs font-medium text-muted">Attempts</h2>
      {attempts.length === 0 ? (
        <p className="text-sm text-muted">
          {status === "pending" && waitsForCall(delivery) ? "Sent after the call ends" : "Not sent yet"}
        </p>
      ) : (
        <ol className="flex flex-col gap-3">
          {attempts.map((attempt) => (
            <Attempt key={attempt.at} attempt={attempt} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Attempt({ attempt: { at, status, ms, error, answer } }: { attempt: DeliveryAttempt }) {
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-line p-3 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={error === null ? "allow" : "deny"}>{status === null ? "no response" : String(status)}</Badge>
        <Time at={at} />
        <span className="text-muted tabular-nums">{Math.round(ms).toLocaleString("en")} ms</span>
      </div>
      {error !== null && <WithCode as="p" className="text-deny" text={error} />}
      {answer !== null && answer !== "" && (
        <pre
          tabIndex={0}
          role="group"
          aria-label="Response of the receiver"
          className="max-h-48 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap break-all"
        >
          {answer}
        </pre>
      )}
    </li>
  );
}
