import ipaddr from "ipaddr.js";

/** An IP address. An IPv4-mapped IPv6 address is held as IPv4. */
type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address range: the first `bits` of `address`. */
interface AddressRange {
  readonly address: Address;
  readonly bits: number;
}

/** The hosts of URLs that mean this computer: the loopback literals of RFC 8252 §7.3, and `localhost`; no other address. */
export const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Parses an IPv4 (dotted decimal) or IPv6 address (RFC 4291); `null` for other text. Refuses zones. */
export function parseAddress(text: string): Address | null {
  const written = parseWritten(text);
  return written !== null && isMapped(written) ? unmap(written) : written;
}

/** Parses CIDR notation, `10.0.0.0/8` or `2001:db8::/32`; `null` for other text. Ignores host bits. */
export function parseRange(text: string): AddressRange | null {
  const slash = text.indexOf("/");
  const digits = text.slice(slash + 1);
  if (slash < 0 || !/^(?:0|[1-9]\d{0,2})$/.test(digits)) return null;
  const written = parseWritten(text.slice(0, slash));
  const bits = Number(digits);
  if (written === null || bits > (written.kind() === "ipv4" ? 32 : 128)) return null;
  return bits >= 96 && isMapped(written) ? { address: unmap(written), bits: bits - 96 } : { address: written, bits };
}

/** True when the address lies in the range. IPv4 and IPv6 never match each other. */
export function isInRange(address: Address, { address: base, bits }: AddressRange): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

/** How many groups of 16 bits make the /64 of an IPv6 address. */
const NETWORK_GROUPS = 4;

/**
 * An address for counting: the /64 network of an IPv6 address, because one customer usually has all of its addresses
 * (RFC 6177). Other text, such as a zoned address, stays as it is.
 */
export function networkOf(text: string): string {
  const address = parseAddress(text);
  if (address === null) return text;
  if (!("parts" in address)) return address.toString();
  const network = new ipaddr.IPv6([...address.parts.slice(0, NETWORK_GROUPS), 0, 0, 0, 0]);
  return `${network.toString()}/64`;
}

/** The longest IPv6 text: six groups and dotted decimal. */
const MAX_LENGTH = 45;

/** Without leading zeros: some parsers read them as octal, and two readings are a security hole. */
const DOTTED_DECIMAL = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

const MAPPED = ipaddr.IPv6.parseCIDR("::ffff:0:0/96");

function parseWritten(text: string): Address | null {
  if (text.length > MAX_LENGTH) return null;
  if (!text.includes(":")) return parseIpv4(text);
  // The library reads `::10.0.0.1` as an IPv4-mapped address and accepts leading zeros and zones, so it sees only groups.
  const groups = withHexTail(text);
  if (!/^[\da-f:]+$/i.test(groups)) return null;
  try {
    return ipaddr.IPv6.parse(groups);
  } catch {
    return null;
  }
}

function parseIpv4(text: string): ipaddr.IPv4 | null {
  return DOTTED_DECIMAL.test(text) ? ipaddr.IPv4.parse(text) : null;
}

/** Replaces dotted decimal at the end of an IPv6 address with two groups. Leaves other text unchanged. */
function withHexTail(text: string): string {
  if (!text.includes(".")) return text;
  const start = text.lastIndexOf(":") + 1;
  const octets = parseIpv4(text.slice(start))?.octets;
  if (octets === undefined) return text;
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  return `${text.slice(0, start)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

function isMapped(address: Address): boolean {
  return address.kind() === "ipv6" && address.match(MAPPED);
}

function unmap(address: Address): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
