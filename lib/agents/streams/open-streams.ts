import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { Principal } from "@/lib/store/calls/sessions";
import { takePlace } from "@/lib/calls/limits/places";

/**
 * Takes one of the caller's places for what stays open until there is news: a stream of its list or of one call, a poll
 * that waits. A call that is streamed has none: it ends by itself, and has limits of its own.
 *
 * @returns gives the place back; said again, nothing
 * @throws AppError `quota_exceeded` with as many taken as STREAMS_PER_CALLER allows
 */
export function openStream(principal: Pick<Principal, "issuer" | "subject">): () => void {
  const most = env.STREAMS_PER_CALLER;
  const close = takePlace("streams", principal, most);
  if (close !== null) return close;
  throw new AppError(
    "quota_exceeded",
    `You have ${most} streams or waiting polls open here, as many as one caller may have: close one, then open another.`,
    { headers: { "retry-after": "1" } },
  );
}
