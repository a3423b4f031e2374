import { PRIVATE } from "@/lib/access/model/flow";
import type { BuiltinTool } from "@/lib/calls/pipeline/contract";
import { supportDesk } from "@/lib/calls/builtin/support/sample-data";
import { CUSTOMER, idOf, objectOf, ORDER } from "@/lib/calls/builtin/support/schemas";

const readOnly = { readOnlyHint: true, openWorldHint: false } as const;
/** Names, addresses and orders of customers. The articles of the help centre are public, and the shop writes them. */
const readsPrivate = { raises: [PRIVATE] };

const lookupCustomer: BuiltinTool = {
  id: "support:lookup_customer",
  name: "lookup_customer",
  displayName: "Look up a customer",
  description: "Finds customers by part of their name or by e-mail address.",
  category: "customers",
  version: "1",
  tags: ["customers", "read"],
  annotations: readOnly,
  flow: readsPrivate,
  inputSchema: objectOf({ query: { type: "string", minLength: 1, maxLength: 200 } }),
  outputSchema: objectOf({ count: { type: "integer" }, results: { type: "array", items: CUSTOMER } }),
  execute: (args) => {
    const query = String(args["query"]).toLowerCase();
    const results = supportDesk().customers.filter(
      ({ name, email }) => name.toLowerCase().includes(query) || email === query,
    );
    return { success: true, output: { count: results.length, results: results.map((customer) => ({ ...customer })) } };
  },
};

const listOrders: BuiltinTool = {
  id: "support:list_orders",
  name: "list_orders",
  displayName: "List orders",
  description: "Lists a customer's orders, newest first.",
  category: "orders",
  version: "1",
  tags: ["orders", "read"],
  annotations: readOnly,
  flow: readsPrivate,
  inputSchema: objectOf({ customer_id: idOf("C", "the customer, such as `C-1001`") }),
  outputSchema: objectOf({ count: { type: "integer" }, results: { type: "array", items: ORDER } }),
  execute: (args) => {
    const results = supportDesk()
      .orders.filter((order) => order.customer_id === args["customer_id"])
      .toSorted((a, b) => b.placed_on.localeCompare(a.placed_on));
    return { success: true, output: { count: results.length, results: results.map((order) => ({ ...order })) } };
  },
};

const getOrder: BuiltinTool = {
  id: "support:get_order",
  name: "get_order",
  displayName: "Show an order",
  description: "Shows one order with its lines, its status and what was refunded.",
  category: "orders",
  version: "1",
  tags: ["orders", "read"],
  annotations: readOnly,
  flow: readsPrivate,
  inputSchema: objectOf({ order_id: idOf("O", "the order, such as `O-5001`") }),
  outputSchema: ORDER,
  execute: (args) => {
    const order = supportDesk().orders.find(({ id }) => id === args["order_id"]);
    return order === undefined
      ? { success: false, error: "There is no such order." }
      : { success: true, output: { ...order } };
  },
};

const searchKnowledge: BuiltinTool = {
  id: "support:search_knowledge",
  name: "search_knowledge",
  displayName: "Search the help centre",
  description: "Searches the help centre's articles for words.",
  category: "knowledge",
  version: "1",
  tags: ["knowledge", "read"],
  annotations: readOnly,
  inputSchema: objectOf({ query: { type: "string", minLength: 1, maxLength: 200 } }),
  outputSchema: objectOf({
    count: { type: "integer" },
    results: {
      type: "array",
      items: objectOf({ id: { type: "string" }, title: { type: "string" }, body: { type: "string" } }),
    },
  }),
  execute: (args) => {
    const words = String(args["query"]).toLowerCase().split(/\s+/).filter(Boolean);
    const results = supportDesk().articles.filter(({ title, body }) => {
      const text = `${title} ${body}`.toLowerCase();
      return words.some((word) => text.includes(word));
    });
    return { success: true, output: { count: results.length, results: results.map((article) => ({ ...article })) } };
  },
};

/** The support desk's tools that change nothing. */
export const supportReadTools: readonly BuiltinTool[] = [lookupCustomer, listOrders, getOrder, searchKnowledge];
