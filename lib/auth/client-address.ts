import { createHash } from "node:crypto";
import { parseAddress } from "@/lib/access/model/addresses";
import { env } from "@/lib/env";

/**
 * The client's address, for counting failures. Reads `x-forwarded-for` from its end: the server writes the last entry,
 * the socket's peer, and each of the `TRUST_PROXY` proxies writes one before it. A client may forge entries further left.
 * A socket that listens on IPv6 shows an IPv4 client as IPv4-mapped; the IPv4 address is returned.
 */
export function clientAddress(headers: Headers): string {
  const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  const hop = hops.at(-1 - env.TRUST_PROXY) ?? hops[0] ?? "";
  if (hop === "") return "unknown";
  const [withoutZone = ""] = hop.split("%", 1);
  return parseAddress(withoutZone)?.toString() ?? createHash("sha256").update(hop).digest("hex");
}
