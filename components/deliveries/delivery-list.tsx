import { DeliveryBadge } from "@/components/deliveries/delivery-words";
import { POLL_MS } from "@/components/deliveries/use-deliveries";
import { List } from "@/components/resource/list/list";
import { timeColumn, wideColumn } from "@/components/resource/columns";
import type { Column, Filter } from "@/components/resource/view";
import { WithCode } from "@/components/ui/json/with-code";
import { lazyPart } from "@/components/ui/lazy-part";
import type { DeliveryRow } from "@/lib/contracts/agents/delivery";
import { DELIVERY_STATUSES } from "@/lib/resources/parts/words";

const Peek = lazyPart(async () => (await import("@/components/deliveries/delivery-view")).DeliveryPeek);

const COLUMNS: readonly Column<DeliveryRow>[] = [
  { id: "type", header: "Message", cell: (row) => <span className="font-mono text-xs">{row.type}</span> },
  { id: "status", header: "Delivery", cell: (row) => <DeliveryBadge status={row.status} /> },
  {
    id: "to",
    header: "To",
    fields: ["webhook", "origin"],
    className: "whitespace-nowrap",
    cell: (row) => <span className="block max-w-56 truncate">{row.webhook ?? row.origin}</span>,
  },
  timeColumn("at", "Created", { sorts: true }),
  { id: "tries", header: "Attempts", cell: (row) => <span className="text-muted tabular-nums">{row.tries}</span> },
  wideColumn("note", "Last error", (row) => row.note !== null && <WithCode text={row.note} />),
];

const FILTERS: readonly Filter[] = [
  { key: "status", label: "Delivery", options: DELIVERY_STATUSES.map((value) => ({ value, label: value })) },
  { key: "webhook", label: "Webhook", names: "webhooks" },
];

const CHIPS = [
  { key: "type", label: "Message" },
  { key: "call", label: "Call" },
] as const;

/** The messages to webhooks and the callbacks to callers. */
export function DeliveryList() {
  return (
    <List<DeliveryRow>
      list="deliveries"
      words={["delivery", "deliveries"]}
      columns={COLUMNS}
      idOf={(row) => row.id}
      filters={FILTERS}
      chips={CHIPS}
      sort="-at"
      exports
      whenEmpty="Lists messages to webhooks and callbacks. Quartermaster keeps them for 30 days."
      renderPeek={(id, onClose) => <Peek id={id} onClose={onClose} />}
      pollMs={POLL_MS}
    />
  );
}
