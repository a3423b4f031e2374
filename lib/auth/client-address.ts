import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { env } from "@/lib/env";

/**
 * The address that a request came from, for counting failures. `x-forwarded-for` is read from its end:
 * the last entry is the socket's peer, written by the server itself; each of the `TRUST_PROXY` proxies in
 * front has written one more before it. Whatever stands further left is what a client claims.
 */
export function clientAddress(headers: Headers): string {
  const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  const address = hops.at(-1 - env.TRUST_PROXY) ?? hops[0] ?? "";
  if (address === "") return "unknown";
  return isIP(address) !== 0 ? address : createHash("sha256").update(address).digest("hex");
}
