import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { Principal } from "@/lib/store/sessions";

/** Next bundles each route on its own: what is open in a process is counted together. */
const shared = globalThis as typeof globalThis & { quartermasterOpenStreams?: Map<string, number> };

/**
 * Takes one of the caller's places for what stays open until there is news: a stream of its list or of one call, a poll
 * that waits. A call that is streamed has none: it ends by itself, and has limits of its own.
 *
 * @returns gives the place back; said again, nothing
 * @throws AppError `quota_exceeded` with as many taken as STREAMS_PER_CALLER allows
 */
export function openStream({ issuer, subject }: Pick<Principal, "issuer" | "subject">): () => void {
  const open = (shared.quartermasterOpenStreams ??= new Map());
  const key = JSON.stringify([issuer, subject]);
  const before = open.get(key) ?? 0;
  const most = env.STREAMS_PER_CALLER;
  if (before >= most)
    throw new AppError(
      "quota_exceeded",
      `You have ${most} streams or waiting polls open here, as many as one caller may have: close one, then open another.`,
      { headers: { "retry-after": "1" } },
    );
  open.set(key, before + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (open.get(key) ?? 1) - 1;
    if (left === 0) open.delete(key);
    else open.set(key, left);
  };
}
