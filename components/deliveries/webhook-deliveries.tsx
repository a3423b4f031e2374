import { DeliveryBadge } from "@/components/deliveries/delivery-words";
import { useDeliveriesOf } from "@/components/deliveries/use-deliveries";
import { ProblemNote } from "@/components/resource/problem-note";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { WithCode } from "@/components/ui/json/with-code";
import type { WebhookRow } from "@/lib/resources/webhook";

/** The latest deliveries of one webhook and their results. */
export function WebhookDeliveries({ row: { name } }: { row: WebhookRow }) {
  const deliveries = useDeliveriesOf(name);
  if (deliveries.isLoadingError)
    return <ProblemNote error={deliveries.error} onRetry={() => void deliveries.refetch()} />;
  if (deliveries.isPending) return <Skeleton className="h-32" />;
  const { items } = deliveries.data;
  if (items.length === 0)
    return <EmptyState title="No deliveries yet">Events for this webhook and test messages appear here.</EmptyState>;
  return (
    <div className="flex flex-col gap-3">
      <Table label="Deliveries">
        <Headers of={["Message", "Delivery", "Created", "Attempts", ["Last error", "w-full min-w-48"]]} />
        <tbody>
          {items.map(({ id, type, status, at, tries, note }) => (
            <tr key={id}>
              <Td className="whitespace-nowrap">
                <TextLink href={`/admin/deliveries/${encodeURIComponent(id)}`} className="font-mono text-xs">
                  {type}
                </TextLink>
              </Td>
              <Td>
                <DeliveryBadge status={status} />
              </Td>
              <Td className="whitespace-nowrap">
                <Time at={at} />
              </Td>
              <Td className="tabular-nums">{tries}</Td>
              <Td className="text-muted">{note !== null && <WithCode text={note} />}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <TextLink href={`/admin/deliveries?webhook=${encodeURIComponent(name)}`} className="text-sm">
        Show all deliveries
      </TextLink>
    </div>
  );
}
