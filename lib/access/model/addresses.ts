/** An IP address as bytes: 4 for IPv4 (IPv4-mapped IPv6 included), 16 for IPv6. */
export type Address = readonly number[];

/** An address range: the first `bits` of `address`. */
export interface AddressRange {
  readonly address: Address;
  readonly bits: number;
}

/** Parses an IPv4 (dotted decimal) or IPv6 address (RFC 4291); `null` for other text. Refuses zones. */
export function parseAddress(text: string): Address | null {
  return text.includes(":") ? unmap(parseIpv6(text)) : parseIpv4(text);
}

/** Parses CIDR notation, `10.0.0.0/8` or `2001:db8::/32`; `null` for other text. Ignores host bits. */
export function parseRange(text: string): AddressRange | null {
  const slash = text.indexOf("/");
  if (slash < 0) return null;
  const digits = text.slice(slash + 1);
  const host = text.slice(0, slash);
  const raw = host.includes(":") ? parseIpv6(host) : parseIpv4(host);
  if (raw === null || !/^(?:0|[1-9]\d{0,2})$/.test(digits)) return null;
  const bits = Number(digits);
  if (bits > raw.length * 8) return null;
  return isMapped(raw) && bits >= 96 ? { address: raw.slice(12), bits: bits - 96 } : { address: raw, bits };
}

/** True when the address lies in the range. IPv4 and IPv6 never match each other. */
export function isInRange(address: Address, range: AddressRange): boolean {
  if (address.length !== range.address.length) return false;
  const whole = range.bits >> 3;
  for (let i = 0; i < whole; i += 1) if (address[i] !== range.address[i]) return false;
  const rest = range.bits & 7;
  const mask = (0xff << (8 - rest)) & 0xff;
  return ((address[whole] ?? 0) & mask) === ((range.address[whole] ?? 0) & mask);
}

/** Refuses leading zeros: some parsers read them as octal, and two readings are a security hole. */
function parseIpv4(text: string): Address | null {
  const parts = text.split(".", 5);
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return null;
  return parts.map(Number);
}

function parseIpv6(text: string): Address | null {
  if (text.length > 45) return null;
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const head = parseHextets(halves[0] ?? "", halves.length === 1);
  const tail = parseHextets(halves[1] ?? "", true);
  if (head === null || tail === null) return null;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return null;
  return [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

/** Colon-separated groups of 16 bits; the last may be dotted decimal when `last` allows it. */
function parseHextets(text: string, last: boolean): number[] | null {
  if (text === "") return [];
  const bytes: number[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (last && index === parts.length - 1 && part.includes(".")) {
      const ipv4 = parseIpv4(part);
      if (ipv4 === null) return null;
      bytes.push(...ipv4);
    } else if (/^[\da-fA-F]{1,4}$/.test(part)) {
      const value = Number.parseInt(part, 16);
      bytes.push(value >> 8, value & 0xff);
    } else return null;
  }
  return bytes;
}

function isMapped(address: Address): boolean {
  return address.slice(0, 10).every((byte) => byte === 0) && address[10] === 0xff && address[11] === 0xff;
}

function unmap(address: Address | null): Address | null {
  return address !== null && isMapped(address) ? address.slice(12) : address;
}
