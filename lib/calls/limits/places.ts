import type { Principal } from "@/lib/store/calls/sessions";

/** The kinds of work of which a caller may have a limited number at a time in one process. */
type Kind = "calls" | "streams";

/** Next bundles each route separately, but a process counts its places together. */
const shared = globalThis as typeof globalThis & { quartermasterPlaces?: Map<string, number> };

/**
 * Takes one of a caller's places; `null` when it has `most` already. The returned function releases the place; called
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
