/** An address as a number, in a family of 32 or 128 bits; IPv4-mapped IPv6 is IPv4. */
interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** A range: every address that shares the first `length` bits. */
interface Range extends Address {
  readonly length: number;
}

/** IPv4 or IPv6 text, or `null`. */
export function readAddress(text: string): Address | null {
  const address = text.includes(":") ? readIpv6(text) : readIpv4(text);
  if (address === null || address.bits === 32) return address;
  return address.value >> 32n === 0xffffn ? { bits: 32, value: address.value & 0xffffffffn } : address;
}

/** CIDR text (`10.0.0.0/8`, `fd00::/8`), or `null`. A prefix of an IPv4-mapped address that ends before its IPv4 part is IPv6. */
export function readRange(text: string): Range | null {
  const [base, length, rest] = text.split("/");
  if (base === undefined || length === undefined || rest !== undefined || !/^(0|[1-9][0-9]{0,2})$/.test(length))
    return null;
  const address = readAddress(base);
  const written = base.includes(":") ? readIpv6(base) : readIpv4(base);
  if (address === null || written === null || Number(length) > written.bits) return null;
  const prefix = Number(length) - (written.bits - address.bits);
  return prefix < 0 ? { ...written, length: Number(length) } : { ...address, length: prefix };
}

/** Whether an address lies in a range; never across families. */
export function contains(range: Range, address: Address): boolean {
  const shift = BigInt(range.bits - range.length);
  return range.bits === address.bits && range.value >> shift === address.value >> shift;
}

function readIpv4(text: string): Address | null {
  const parts = text.split(".");
  if (parts.length !== 4 || parts.some((part) => !/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255))
    return null;
  return { bits: 32, value: parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n) };
}

function readIpv6(text: string): Address | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const words = halves.map((half) => (half === "" ? [] : half.split(":")));
  const last = words.at(-1)!;
  const tail = last.at(-1);
  if (tail?.includes(".") === true) {
    const v4 = readIpv4(tail);
    if (v4 === null) return null;
    last.splice(-1, 1, (v4.value >> 16n).toString(16), (v4.value & 0xffffn).toString(16));
  }
  const [left, right] = [words[0]!, words[1] ?? []];
  const missing = 8 - left.length - right.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const all = [...left, ...Array.from({ length: missing }, () => "0"), ...right];
  if (all.some((word) => !/^[0-9A-Fa-f]{1,4}$/.test(word))) return null;
  return { bits: 128, value: all.reduce((sum, word) => sum * 65536n + BigInt(`0x${word}`), 0n) };
}
