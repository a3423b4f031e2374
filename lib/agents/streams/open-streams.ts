import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { Principal } from "@/lib/store/calls/sessions";
import { acquireSlot } from "@/lib/calls/limits/slots";

/**
 * Takes one of the caller's places for a request that stays open until there is news: a stream of a list or of a call, or
 * a waiting poll. Streamed calls take no place; they end by themselves and have their own limits.
 *
 * @returns releases the place; safe to call twice
 * @throws AppError `quota_exceeded` at STREAMS_PER_CALLER places
 */
export function openStream(principal: Pick<Principal, "issuer" | "subject">): () => void {
  const most = env.STREAMS_PER_CALLER;
  const close = acquireSlot("streams", principal, most);
  if (close !== null) return close;
  throw new AppError(
    "quota_exceeded",
    `You have ${most} open streams or waiting polls, the limit for one caller: close one, then open another.`,
    { headers: { "retry-after": "1" } },
  );
}
