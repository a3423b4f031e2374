import { z } from "zod";
import { DELIVERY_STATUSES } from "@/lib/resources/parts/words";

/** The most that is kept of a receiver's answer, in bytes. */
export const MOST_KEPT_ANSWER = 1024;

/** One message to one receiver: an event to a webhook, or a call's end to the address that its caller gave. */
export const deliveryRow = z.object({
  /** `webhook-id`: the same at every try, so that a receiver knows what it has had already. */
  id: z.string(),
  /** An event's type, `webhook.test` or `call.ended`. */
  type: z.string(),
  /** Null for a callback. */
  webhook: z.string().nullable(),
  /** The event that is told; null for a callback. */
  eventId: z.string().nullable(),
  /** The call whose end is told; null for an event. */
  callId: z.string().nullable(),
  /** Where a callback goes, no more than its origin; null for a webhook. */
  origin: z.string().nullable(),
  status: z.enum(DELIVERY_STATUSES),
  /** Tries since it was last begun. */
  tries: z.int(),
  at: z.iso.datetime(),
  /** While it is pending: when it is tried next, or at the latest if a try is under way. */
  dueAt: z.iso.datetime().nullable(),
  /** Why the last try failed, or why it was dropped. */
  note: z.string().nullable(),
});

/** One try. */
export const deliveryAttempt = z.object({
  at: z.iso.datetime(),
  /** The receiver's HTTP status; null when there was no answer. */
  status: z.int().nullable(),
  ms: z.number(),
  error: z.string().nullable(),
  /** The beginning of the receiver's answer. */
  answer: z.string().nullable(),
});

/** One delivery with its tries, the last first. */
export const deliveryDetail = deliveryRow.extend({ attempts: z.array(deliveryAttempt) });

/** One delivery. */
export type DeliveryRow = z.output<typeof deliveryRow>;
/** One try of a delivery. */
export type DeliveryAttempt = z.output<typeof deliveryAttempt>;
/** One delivery with its tries. */
export type DeliveryDetail = z.output<typeof deliveryDetail>;
