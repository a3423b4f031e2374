import { z } from "zod";
import { pageOf } from "@/lib/contracts/changes/list";
import { DELIVERY_STATUSES } from "@/lib/resources/parts/words";

/** The log keeps at most this many bytes of a receiver's answer. */
export const MAX_KEPT_ANSWER = 1024;

/** One message to one receiver: an event to a webhook, or the end of a call to its caller's callback address. */
export const deliveryRow = z.object({
  /** `webhook-id`: the same at every attempt, so that a receiver recognises a repetition. */
  id: z.string(),
  /** An event's type, `webhook.test` or `call.ended`. */
  type: z.string(),
  /** Null for a callback. */
  webhook: z.string().nullable(),
  /** The event that is sent; null for a callback. */
  eventId: z.string().nullable(),
  /** The call whose end is sent; null for an event. */
  callId: z.string().nullable(),
  /** The origin of a callback's address; null for a webhook. */
  origin: z.string().nullable(),
  status: z.enum(DELIVERY_STATUSES),
  /** Attempts since the delivery was last started. */
  tries: z.int(),
  at: z.iso.datetime(),
  /**
   * While the delivery is pending: the time of the next attempt, or the latest such time while an attempt is running.
   */
  dueAt: z.iso.datetime().nullable(),
  /** Why the last attempt failed, or why the delivery was dropped. */
  note: z.string().nullable(),
});

/** A page of deliveries. */
export const deliveryPage = pageOf(deliveryRow);

/** One attempt. */
const deliveryAttempt = z.object({
  at: z.iso.datetime(),
  /** The receiver's HTTP status; null when there was no answer. */
  status: z.int().nullable(),
  ms: z.number(),
  error: z.string().nullable(),
  /** The beginning of the receiver's answer. */
  answer: z.string().nullable(),
});

/** One delivery with its attempts, newest first. */
export const deliveryDetail = deliveryRow.extend({ attempts: z.array(deliveryAttempt) });

/** One delivery. */
export type DeliveryRow = z.output<typeof deliveryRow>;
/** One attempt of a delivery. */
export type DeliveryAttempt = z.output<typeof deliveryAttempt>;
/** One delivery with its attempts. */
export type DeliveryDetail = z.output<typeof deliveryDetail>;
