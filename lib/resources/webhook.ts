import { z } from "zod";
import { description, meta, slug } from "@/lib/resources/parts/name";
import { EVENT_TYPES, type EventType } from "@/lib/resources/parts/webhook-events";

const url = z
  .string()
  .max(2048)
  .refine(isAddress, "use an http(s) address without a user name or password, such as https://example.com/hooks");

/** An address that is told of events. */
export const webhookInput = z.strictObject({
  name: slug,
  description: description.default(""),
  url,
  events: z.array(z.enum(EVENT_TYPES)).min(1, "choose an event").transform(inOrder),
  active: z.boolean().default(true),
});

/** A stored webhook; what it signs with is never in it. */
export const webhookRow = z.object({
  ...webhookInput.shape,
  events: z.array(z.enum(EVENT_TYPES)),
  /** Why the house switched it off; `null` = it did not. */
  switchedOff: z.string().nullable(),
  /** Of the secret. */
  lastFour: z.string(),
  /** Until when the secret before the last rotation signs as well; `null` = it does not. */
  previousUntil: z.iso.datetime().nullable(),
  ...meta,
});

/** What `POST`, and a rotation, answer: the row and, this once, the secret (`whsec_…`). */
export const webhookCreated = webhookRow.extend({ secret: z.string() });

/** A webhook's input, normalised. */
export type WebhookInput = z.output<typeof webhookInput>;
/** A webhook without its secret. */
export type WebhookRow = z.output<typeof webhookRow>;

function isAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

/** Each once, in the order of the table: another order is no change. */
function inOrder(events: readonly EventType[]): EventType[] {
  return EVENT_TYPES.filter((type) => events.includes(type));
}
