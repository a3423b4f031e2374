import type { JsonObject } from "@/lib/access/model/configuration";

/** An object schema in which everything named is required and nothing else is allowed. */
export function objectOf(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

/** An id of the sample data, such as `O-5001`. */
export function idOf(letter: string, description: string): JsonObject {
  return { type: "string", pattern: `^${letter}-[0-9]{4}$`, description };
}

/** A customer. */
export const CUSTOMER = objectOf({
  id: { type: "string" },
  name: { type: "string" },
  email: { type: "string" },
  tier: { enum: ["standard", "gold"] },
});

/** An order with its lines. */
export const ORDER = objectOf({
  id: { type: "string" },
  customer_id: { type: "string" },
  placed_on: { type: "string" },
  total: { type: "number", description: "euro" },
  refunded: { type: "number", description: "euro refunded so far" },
  status: { enum: ["delivered", "shipped", "cancelled"] },
  items: {
    type: "array",
    items: objectOf({ name: { type: "string" }, quantity: { type: "integer" }, price: { type: "number" } }),
  },
});

/** A ticket's state after a change. */
export const TICKET = objectOf({
  id: { type: "string" },
  status: { enum: ["open", "escalated", "closed"] },
  notes: { type: "integer", description: "how many notes it has" },
});
