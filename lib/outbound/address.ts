import ipaddr from "ipaddr.js";

/** The only IPv6 space handed out to networks (RFC 4291, IANA global unicast). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Inside it, but not public: IETF protocol assignments (Teredo, benchmarking, ORCHID, AMT …) and the two
 * documentation ranges. 6to4 (2002::/16) carries an IPv4 address of the sender's choice.
 */
const NOT_PUBLIC_6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map((text) =>
  ipaddr.IPv6.parseCIDR(text),
);

/** Public by number, but answered by the cloud's own host: Azure's metadata and DNS address. */
const NOT_PUBLIC_4 = ["168.63.129.16/32"].map((text) => ipaddr.IPv4.parseCIDR(text));

/**
 * Whether an address is public unicast, the only kind an outbound request may reach unless the operator
 * allows it (docs/reference/execution.md#outbound-http). Forms of IPv6 that wrap an IPv4 address (mapped, NAT64, 6to4,
 * Teredo) are never public, whatever they wrap. Text that is no plain address is not public either.
 */
export function isPublicAddress(text: string): boolean {
  // A zone (`fe80::1%eth0`) only means something on one link.
  if (text.includes("%")) return false;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return isPublic4(ipaddr.IPv4.parse(text));
  if (!text.includes(":") || !ipaddr.IPv6.isValid(text)) return false;
  return isPublic6(ipaddr.IPv6.parse(text));
}

function isPublic4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !NOT_PUBLIC_4.some((range) => address.match(range));
}

function isPublic6(address: ipaddr.IPv6): boolean {
  return (
    address.match(GLOBAL_UNICAST) &&
    address.range() === "unicast" &&
    !NOT_PUBLIC_6.some((range) => address.match(range))
  );
}
