import type { BuiltinTool, ToolResult } from "@/lib/calls/pipeline/contract";
import { supportDesk, type Ticket } from "@/lib/calls/builtin/support/sample-data";
import { idOf, objectOf, TICKET } from "@/lib/calls/builtin/support/schemas";

const ticketId = idOf("T", "the ticket, such as `T-7001`");

const addNote: BuiltinTool = {
  id: "support:add_note",
  name: "add_note",
  displayName: "Add a note to a ticket",
  description: "Adds an internal note to a ticket; customers do not see it.",
  category: "tickets",
  version: "1",
  tags: ["tickets", "write"],
  hasSideEffects: true,
  annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: false },
  inputSchema: objectOf({ ticket_id: ticketId, text: { type: "string", minLength: 1, maxLength: 4000 } }),
  outputSchema: TICKET,
  execute: (args, { now }) =>
    onTicket(args["ticket_id"], (ticket) => {
      ticket.notes.push({ at: new Date(now).toISOString(), text: String(args["text"]) });
      return null;
    }),
};

const refundOrder: BuiltinTool = {
  id: "support:refund_order",
  name: "refund_order",
  displayName: "Refund an order",
  description: "Refunds part or all of an order to the customer's original means of payment. This moves money.",
  guidance: "Check the order and the refund policy first. Never refund more than the customer asked for.",
  category: "refunds",
  version: "1",
  tags: ["orders", "refund", "write"],
  hasSideEffects: true,
  requiredCapabilities: [],
  annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: false },
  inputSchema: objectOf(
    {
      order_id: idOf("O", "the order, such as `O-5001`"),
      amount: { type: "number", exclusiveMinimum: 0, maximum: 10_000, description: "euro" },
      reason: { type: "string", maxLength: 500 },
    },
    ["reason"],
  ),
  outputSchema: objectOf({
    order_id: { type: "string" },
    refunded: { type: "number", description: "euro refunded by this call" },
    refunded_in_total: { type: "number" },
  }),
  validateArgs: (args) => {
    const cents = Number(args["amount"]) * 100;
    return Math.abs(cents - Math.round(cents)) < 1e-6 ? [] : ["`amount` has more than two decimal places"];
  },
  execute: (args) => {
    const order = supportDesk().orders.find(({ id }) => id === args["order_id"]);
    if (order === undefined) return { success: false, error: "There is no such order." };
    const amount = Number(args["amount"]);
    const left = order.total - order.refunded;
    if (amount > left + 1e-9)
      return { success: false, error: `Only ${left.toFixed(2)} euro of this order can still be refunded.` };
    order.refunded = Math.round((order.refunded + amount) * 100) / 100;
    return {
      success: true,
      output: { order_id: order.id, refunded: amount, refunded_in_total: order.refunded },
    };
  },
};

const escalateTicket: BuiltinTool = {
  id: "support:escalate_ticket",
  name: "escalate_ticket",
  displayName: "Escalate a ticket",
  description: "Hands a ticket to a human supervisor.",
  category: "tickets",
  version: "1",
  tags: ["tickets", "write"],
  hasSideEffects: true,
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  inputSchema: objectOf({ ticket_id: ticketId, reason: { type: "string", minLength: 1, maxLength: 1000 } }),
  outputSchema: TICKET,
  execute: (args, { now }) =>
    onTicket(args["ticket_id"], (ticket) => {
      if (ticket.status === "closed") return "The ticket is closed.";
      ticket.status = "escalated";
      ticket.notes.push({ at: new Date(now).toISOString(), text: `Escalated: ${String(args["reason"])}` });
      return null;
    }),
};

const closeTicket: BuiltinTool = {
  id: "support:close_ticket",
  name: "close_ticket",
  displayName: "Close a ticket",
  description: "Closes a ticket with a summary of how it was resolved.",
  category: "tickets",
  version: "1",
  tags: ["tickets", "write"],
  hasSideEffects: true,
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  inputSchema: objectOf({ ticket_id: ticketId, resolution: { type: "string", minLength: 1, maxLength: 1000 } }),
  outputSchema: TICKET,
  execute: (args, { now }) =>
    onTicket(args["ticket_id"], (ticket) => {
      ticket.status = "closed";
      ticket.notes.push({ at: new Date(now).toISOString(), text: `Closed: ${String(args["resolution"])}` });
      return null;
    }),
};

/** Changes a ticket and answers its state; the change answers a problem, or `null`. */
function onTicket(id: unknown, change: (ticket: Ticket) => string | null): ToolResult {
  const ticket = supportDesk().tickets.find((candidate) => candidate.id === id);
  if (ticket === undefined) return { success: false, error: "There is no such ticket." };
  const problem = change(ticket);
  if (problem !== null) return { success: false, error: problem };
  return { success: true, output: { id: ticket.id, status: ticket.status, notes: ticket.notes.length } };
}

/** The support desk's tools that change something. */
export const supportWriteTools: readonly BuiltinTool[] = [addNote, refundOrder, escalateTicket, closeTicket];
