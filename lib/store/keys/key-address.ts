import { isOutboundAllowed } from "@/lib/env";
import { isThisMachine } from "@/lib/resources/parts/plain-text";

/** What to do about a refused address; also the end of "Keys are not fetched from …:". */
export const KEYS_IN_PLAIN_TEXT = "use https, this machine, or a host:port that OUTBOUND_ALLOW names";

/**
 * Whether signing keys may be fetched from an address: a person who can change a plain-text answer could sign as the
 * issuer.
 */
export function mayServeKeys(address: string): boolean {
  const url = new URL(address);
  return url.protocol === "https:" || isThisMachine(url.hostname) || isOutboundAllowed(url);
}
