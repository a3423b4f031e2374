import { singleton } from "@/lib/process/singleton";

/**
 * The small shop behind the demo: sample data in memory, changed by the tools and lost with the process.
 * It exists so that the demonstration works without a network.
 */
interface SupportDesk {
  readonly customers: readonly Customer[];
  readonly orders: Order[];
  readonly tickets: Ticket[];
  readonly articles: readonly Article[];
}

/** Someone who bought something. */
interface Customer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly tier: "standard" | "gold";
}

/** What was bought; amounts in euro. */
interface Order {
  readonly id: string;
  readonly customer_id: string;
  readonly placed_on: string;
  readonly total: number;
  refunded: number;
  readonly status: "delivered" | "shipped" | "cancelled";
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly price: number }[];
}

/** A conversation with a customer. */
export interface Ticket {
  readonly id: string;
  readonly customer_id: string;
  readonly subject: string;
  status: "open" | "escalated" | "closed";
  readonly notes: { readonly at: string; readonly text: string }[];
}

/** What the help centre says. */
interface Article {
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

/** The one desk of this process. */
export const supportDesk = singleton("SupportDesk", freshDesk);

/** The desk as it is at the start. */
function freshDesk(): SupportDesk {
  return {
    customers: [
      { id: "C-1001", name: "Ada Lindqvist", email: "ada@example.com", tier: "gold" },
      { id: "C-1002", name: "Bruno Costa", email: "bruno@example.com", tier: "standard" },
      { id: "C-1003", name: "Chloe Martin", email: "chloe@example.com", tier: "standard" },
    ],
    orders: [
      order("O-5001", "C-1001", "2026-10-02", "delivered", [
        ["Rain jacket", 1, 129],
        ["Wool socks", 2, 12.5],
      ]),
      order("O-5002", "C-1001", "2026-11-05", "shipped", [["Hiking boots", 1, 189]]),
      order("O-5003", "C-1002", "2026-09-18", "delivered", [["Camping stove", 1, 74.9]]),
      order("O-5004", "C-1003", "2026-11-11", "cancelled", [["Tent", 1, 349]]),
    ],
    tickets: [
      { id: "T-7001", customer_id: "C-1001", subject: "The jacket is not waterproof", status: "open", notes: [] },
      { id: "T-7002", customer_id: "C-1002", subject: "Stove arrived dented", status: "open", notes: [] },
      { id: "T-7003", customer_id: "C-1003", subject: "Where is my refund?", status: "open", notes: [] },
    ],
    articles: [
      {
        id: "A-1",
        title: "Refund policy",
        body: "Orders can be refunded within 60 days. Refunds above 100 euro need a supervisor.",
      },
      { id: "A-2", title: "Shipping times", body: "Orders leave within two working days and take three more." },
      { id: "A-3", title: "Washing a rain jacket", body: "Wash at 30 degrees and renew the coating once a year." },
    ],
  };
}

function order(
  id: string,
  customer: string,
  placedOn: string,
  status: Order["status"],
  lines: readonly (readonly [string, number, number])[],
): Order {
  const items = lines.map(([name, quantity, price]) => ({ name, quantity, price }));
  const total = items.reduce((sum, item) => sum + item.quantity * item.price, 0);
  return { id, customer_id: customer, placed_on: placedOn, total, refunded: 0, status, items };
}
