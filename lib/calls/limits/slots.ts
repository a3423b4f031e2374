import { singleton } from "@/lib/process/singleton";
import type { Principal } from "@/lib/store/calls/sessions";

/** The kinds of work of which a caller may have a limited number at a time in one process. */
type Kind = "calls" | "streams";

/** The taken slots of this process. */
const slots = singleton("Slots", () => new Map<string, number>());

/**
 * Takes one of a caller's slots; `null` when it has `most` already. The returned function releases the slot; called
 * again, it does nothing. All clients of one person share the slots.
 */
export function acquireSlot(
  kind: Kind,
  { issuer, subject }: Pick<Principal, "issuer" | "subject">,
  most: number,
): (() => void) | null {
  const taken = slots();
  const key = JSON.stringify([kind, issuer, subject]);
  const before = taken.get(key) ?? 0;
  if (before >= most) return null;
  taken.set(key, before + 1);
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    const left = (taken.get(key) ?? 1) - 1;
    if (left === 0) taken.delete(key);
    else taken.set(key, left);
  };
}
