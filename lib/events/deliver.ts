import { redactText } from "@/lib/audit/record/redact";
import { AppError } from "@/lib/errors";
import { compose, type Message } from "@/lib/events/message";
import { outboundStream, type OutboundStream, type StreamedAnswer } from "@/lib/outbound/stream";
import { MAX_KEPT_ANSWER } from "@/lib/contracts/agents/delivery";
import { settleDelivery, type Attempt, type DueDelivery, type Verdict } from "@/lib/store/events/deliveries";
import { switchOff } from "@/lib/store/config/webhooks";
import { log } from "@/lib/telemetry/log";
import { retryUntilWritten } from "@/lib/calls/queue/retry-until-written";

const MAX_ATTEMPTS = 8;
/** The pause after the first attempt. Each later pause is four times as long; together about a day. */
const MIN_BACKOFF_MS = 16_000;
/** Random part of a pause, so that receivers that recover together do not get all attempts at once. */
const JITTER = 0.2;
/** The timeout of one attempt (docs/reference/execution.md#events: a receiver acknowledges first and works afterwards). */
const TIMEOUT_MS = 10_000;
/** HTTP 410: the receiver wants no more messages. */
const GONE = 410;

/** The effects of a delivery, injected so that tests have their own clock. */
export interface DeliveryDependencies {
  readonly send: OutboundStream;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** 0..1 */
  readonly random: () => number;
  readonly attemptTimeoutMs: number;
}

/** The effects in production. */
export const production: DeliveryDependencies = {
  send: outboundStream,
  now: Date.now,
  random: Math.random,
  attemptTimeoutMs: TIMEOUT_MS,
};

/**
 * Attempts a delivery that this process has claimed. Delivers at least once: if the process dies after the receiver's
 * answer, the message is sent again under the same id. Never throws.
 */
export async function deliver(delivery: DueDelivery, deps: DeliveryDependencies): Promise<void> {
  const { id, webhook } = delivery;
  const { attempt, verdict } = await attemptDelivery(delivery, deps);
  // Retries the write, so that a busy store does not cause a second delivery.
  await retryUntilWritten(id, () => settleDelivery(delivery, verdict, attempt));
  if (attempt?.status === GONE && webhook !== null)
    await switchOff(webhook, "Its receiver answered 410 Gone.").catch((error: unknown) => {
      // The next message gets 410 too, and this is tried again.
      log.warn({ webhook, err: error }, "A webhook whose receiver answered 410 could not be disabled.");
    });
}

/** The attempt, if one was made, and the delivery's new state. */
interface AttemptResult {
  readonly attempt: Attempt | null;
  readonly verdict: Verdict;
}

async function attemptDelivery(delivery: DueDelivery, deps: DeliveryDependencies): Promise<AttemptResult> {
  try {
    const message = await compose(delivery, deps.now());
    if ("dropped" in message)
      return { attempt: null, verdict: { status: "dropped", dueAt: null, note: message.dropped } };
    const attempt = await sendMessage(delivery.id, message, deps);
    return { attempt, verdict: verdictOn(attempt, delivery, deps) };
  } catch (error) {
    log.warn({ delivery: delivery.id, err: error }, "A delivery could not be attempted.");
    const failed = { status: null, error: "Quartermaster could not attempt this delivery. Its log has the reason." };
    return { attempt: null, verdict: verdictOn(failed, delivery, deps) };
  }
}

async function sendMessage(id: string, { url, body, sign }: Message, deps: DeliveryDependencies): Promise<Attempt> {
  const started = performance.now();
  const at = deps.now();
  const timestamp = Math.floor(at / 1000);
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": sign({ id, timestamp, body }),
  };
  const done = (of: Pick<Attempt, "status" | "error" | "answer">): Attempt => ({
    at: new Date(at),
    ms: Math.round(performance.now() - started),
    ...of,
  });
  try {
    const response = await deps.send({
      url,
      method: "POST",
      headers,
      body,
      signal: null,
      totalMs: deps.attemptTimeoutMs,
    });
    const answer = await beginningOf(response);
    const { status } = response;
    return done({ status, answer, error: isSuccess(status) ? null : problemOf(status) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return done({ status: null, answer: null, error: error.message });
  }
}

/** The first kilobyte of the answer without secrets, or less if the receiver breaks off. */
async function beginningOf({ body }: StreamedAnswer): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= MAX_KEPT_ANSWER) break;
    }
    isWhole = size < MAX_KEPT_ANSWER;
  } catch {
    // The status has arrived. The rest of the answer is only for people to read.
  }
  if (size === 0) return null;
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_KEPT_ANSWER));
  return redactText(isWhole ? text : withoutCutWord(text), []);
}

/** Removes the last word: it may be the beginning of a secret, whose shape the cut made unrecognisable. */
function withoutCutWord(text: string): string {
  return `${text.replace(/[^\s"',;<>{}]+$/, "")}…`;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function problemOf(status: number): string {
  if (status >= 300 && status < 400) return `The receiver answered ${status}: redirects are not followed.`;
  return `The receiver answered ${status}.`;
}

function verdictOn(
  { status, error }: Pick<Attempt, "status" | "error">,
  { tries }: DueDelivery,
  { now, random }: Pick<DeliveryDependencies, "now" | "random">,
): Verdict {
  if (status !== null && isSuccess(status)) return { status: "delivered", dueAt: null, note: null };
  if (status === GONE || tries >= MAX_ATTEMPTS) return { status: "failed", dueAt: null, note: error };
  const pause = MIN_BACKOFF_MS * 4 ** (tries - 1) * (1 - JITTER + 2 * JITTER * random());
  return { status: "pending", dueAt: new Date(now() + pause), note: error };
}
