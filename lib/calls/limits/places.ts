import type { Principal } from "@/lib/store/calls/sessions";

/** What a caller has a number of places for, in one process. */
type Kind = "calls" | "streams";

/** Next bundles each route on its own: the places of a process are counted together. */
const shared = globalThis as typeof globalThis & { quartermasterPlaces?: Map<string, number> };

/**
 * Takes one of a caller's places; `null` when it has `most` already. The returned function gives the place back; called
 * again, it does nothing. All clients of one person share the places.
 */
export function takePlace(
  kind: Kind,
  { issuer, subject }: Pick<Principal, "issuer" | "subject">,
  most: number,
): (() => void) | null {
  const taken = (shared.quartermasterPlaces ??= new Map());
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
