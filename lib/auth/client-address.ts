import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { env } from "@/lib/env";

/**
 * The client's address, for counting failures. Reads `x-forwarded-for` from its end: the server writes the last entry,
 * the socket's peer, and each of the `TRUST_PROXY` proxies writes one before it. A client may forge entries further left.
 */
export function clientAddress(headers: Headers): string {
  const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  const address = hops.at(-1 - env.TRUST_PROXY) ?? hops[0] ?? "";
  if (address === "") return "unknown";
  return isIP(address) !== 0 ? address : createHash("sha256").update(address).digest("hex");
}
