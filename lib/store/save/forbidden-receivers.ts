import { isOutboundAllowed } from "@/lib/env";
import type { FieldProblem } from "@/lib/errors";
import { isPublicAddress, notPublic } from "@/lib/store/keys/public-address";
import type { AppliedChange } from "@/lib/store/save/change";

/**
 * Webhooks among the changes with a new URL that the outbound rules refuse, so every delivery would fail. Each delivery
 * checks names, which may resolve differently then. A stored URL that the operator has withdrawn since stays.
 */
export function forbiddenReceivers(
  changes: readonly AppliedChange[],
  pathOf: (change: AppliedChange, path: string) => string,
): FieldProblem[] {
  return changes.flatMap((change) => {
    const url = urlOf(change.resource, change.after);
    if (url === null || url === urlOf(change.resource, change.before)) return [];
    const address = new URL(url);
    if (mayBePublic(address.hostname) || isOutboundAllowed(address)) return [];
    const place = `${address.hostname}:${address.port || (address.protocol === "https:" ? "443" : "80")}`;
    return [{ path: pathOf(change, "url"), message: notPublic(place) }];
  });
}

/** Whether a URL's host is a public address, or a name other than `localhost`. */
function mayBePublic(hostname: string): boolean {
  if (hostname.startsWith("[")) return isPublicAddress(hostname.slice(1, -1));
  if (/^[\d.]+$/.test(hostname)) return isPublicAddress(hostname);
  return hostname !== "localhost" && !hostname.endsWith(".localhost");
}

function urlOf(resource: AppliedChange["resource"], value: object | null): string | null {
  return resource === "webhooks" && value !== null ? (value as { readonly url: string }).url : null;
}
