import { z } from "zod";
import { description, meta, slug } from "@/lib/resources/parts/name";
import { EVENT_TYPES, type EventType } from "@/lib/resources/parts/webhook-events";

const url = z
  .string()
  .max(2048)
  .refine(isAddress, "use an http(s) address without a user name or password, such as https://example.com/hooks");

/** An address that receives events. */
export const webhookInput = z.strictObject({
  name: slug,
  description: description.default(""),
  url,
  events: z.array(z.enum(EVENT_TYPES)).min(1, "choose an event").transform(inOrder),
  active: z.boolean().default(true),
});

/** A stored webhook, without its signing secret. */
export const webhookRow = z.object({
  ...webhookInput.shape,
  events: z.array(z.enum(EVENT_TYPES)),
  /** Why the app disabled the webhook; `null` when it did not. */
  switchedOff: z.string().nullable(),
  /** The last four characters of the secret. */
  lastFour: z.string(),
  /** Until when the previous secret signs too; `null` when it does not. */
  previousUntil: z.iso.datetime().nullable(),
  ...meta,
});

/** The answer of `POST` and of a rotation: the row and, only this once, the secret (`whsec_…`). */
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

/** Removes duplicates and sorts by the table, so that a different order is no change. */
function inOrder(events: readonly EventType[]): EventType[] {
  return EVENT_TYPES.filter((type) => events.includes(type));
}
