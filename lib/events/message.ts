import { createHmac, sign, type KeyObject } from "node:crypto";
import type { Caller } from "@/lib/auth/agents/caller";
import { requireKeyOf } from "@/lib/auth/agents/api-key";
import { reauthenticate } from "@/lib/auth/agents/authenticate";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { callbackKey } from "@/lib/events/callback-keys";
import { findApiKey } from "@/lib/store/config/api-keys";
import { findEvent, openCallbackTarget, type DueDelivery } from "@/lib/store/events/deliveries";
import { getExecution } from "@/lib/store/log/executions";
import { readStoredCall } from "@/lib/store/calls/stored-calls";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { findReceiver } from "@/lib/store/config/webhooks";
import { withholdIfHidden } from "@/lib/calls/pipeline/may-read";
import { readStoredAnswer, recordedAnswer } from "@/lib/calls/record/recorded";

/** A message with its address and its signature. */
export interface Message {
  readonly url: string;
  /** JSON text. */
  readonly body: string;
  /** Returns the value of `webhook-signature`: signatures separated by spaces. */
  readonly sign: (content: SignedContent) => string;
}

/** A message, or why nothing is sent. */
type Composed = Message | { readonly dropped: string };

/**
 * Composes the message of a delivery from the present state.
 *
 * @throws AppError `config_unavailable` when the state cannot be read
 */
export function compose(delivery: DueDelivery, now: number): Promise<Composed> {
  return delivery.callId === null ? composeEvent(delivery, now) : composeCallback(delivery, delivery.callId, now);
}

async function composeEvent({ webhook, eventId }: DueDelivery, now: number): Promise<Composed> {
  const [receiver, event] = await Promise.all([findReceiver(webhook ?? "", new Date(now)), findEvent(eventId ?? "")]);
  if (receiver === null || event === null) return { dropped: "The webhook was deleted." };
  if (!receiver.active) return { dropped: "The webhook is off." };
  const { secrets, url } = receiver;
  if (secrets.length === 0) return { dropped: "The secret cannot be read with this master key: rotate it." };
  const { id, type, at, path, data } = event;
  const payload = { ...(data as object), url: new URL(path, env.NEXTAUTH_URL).href };
  return {
    url,
    body: JSON.stringify({ id, type, timestamp: at.toISOString(), data: payload }),
    sign: (content) => secrets.map((secret) => signWithSecret(secret, content)).join(" "),
  };
}

/** The answer that the caller could read now. A caller whose credential is no longer valid gets nothing. */
async function composeCallback(delivery: DueDelivery, callId: string, now: number): Promise<Composed> {
  const target = openCallbackTarget(delivery);
  if (target === null) return { dropped: "The address cannot be decrypted with this master key." };
  const caller = JSON.parse(target.caller) as Caller;
  const origins = await originsNow(caller, now);
  if (origins === null) return { dropped: "The caller's credential is no longer valid." };
  if (!origins.includes(new URL(target.url).origin))
    return { dropped: "The origin is no longer in `callbackOrigins` of the caller's agent." };
  const stored = await readStoredCall(callId, caller.principal);
  const storedAnswer = stored === null ? null : readStoredAnswer(stored);
  const execution = await getExecution(callId, { bodies: true });
  const answer = storedAnswer ?? (execution === null ? null : recordedAnswer(execution, stored));
  if (answer === null) return { dropped: "The call is no longer stored." };
  return {
    url: target.url,
    // Uses the claims in the log, because the stored caller has none. Erased claims grant nothing.
    body: JSON.stringify((await withholdIfHidden(answer, { ...caller, claims: execution?.claims ?? {} })).output),
    sign: (content) => signWithKey(callbackKey(), content),
  };
}

/** The origins that may receive the caller's callbacks now; `null` = its credential is no longer valid. */
async function originsNow(caller: Caller, now: number): Promise<readonly string[] | null> {
  try {
    const { agent } = reauthenticate(caller, await currentSnapshot(), now);
    await requireKeyOf(caller, findApiKey, now);
    return agent?.callbackOrigins ?? [];
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthenticated") return null;
    throw error;
  }
}

interface SignedContent {
  /** The message's id. */
  readonly id: string;
  /** The time of this attempt, in seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * A symmetric signature `v1,…` (Standard Webhooks 1.0, Signature scheme): HMAC-SHA256 in base64 over `id.timestamp.body`
 * under the bytes of a secret `whsec_` + base64.
 */
function signWithSecret(secret: string, content: SignedContent): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(signedText(content)).digest("base64")}`;
}

/** An asymmetric signature `v1a,…` (Standard Webhooks 1.0): Ed25519 over the same text. */
function signWithKey(key: KeyObject, content: SignedContent): string {
  return `v1a,${sign(null, Buffer.from(signedText(content)), key).toString("base64")}`;
}

function signedText({ id, timestamp, body }: SignedContent): string {
  return `${id}.${timestamp}.${body}`;
}
