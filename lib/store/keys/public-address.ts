import ipaddr from "ipaddr.js";

/** The only IPv6 space allocated to networks (RFC 4291, IANA global unicast). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Ranges inside it that are not public: IETF protocol assignments (Teredo, benchmarking, ORCHID, AMT …) and the two
 * documentation ranges. 6to4 (2002::/16) contains an IPv4 address of the sender's choice.
 */
const NOT_PUBLIC_6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map((text) =>
  ipaddr.IPv6.parseCIDR(text),
);

/** A public number that the cloud's own host answers: Azure's metadata and DNS address. */
const NOT_PUBLIC_4 = ["168.63.129.16/32"].map((text) => ipaddr.IPv4.parseCIDR(text));

/** What to do about a host and port that outbound requests may not reach. */
export function notPublic(place: string): string {
  return `\`${place}\` is not a public address: an operator can add it to OUTBOUND_ALLOW and restart`;
}

/**
 * Whether an address is public unicast, the only kind that outbound requests may reach without the operator's
 * permission (docs/reference/execution.md#outbound-http).
 * IPv6 forms that wrap an IPv4 address (mapped, NAT64, 6to4, Teredo) are never public. Text that is no plain address is
 * not public.
 */
export function isPublicAddress(text: string): boolean {
  // A zone (`fe80::1%eth0`) has a meaning on one link only.
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
