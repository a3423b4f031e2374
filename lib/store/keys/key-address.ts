import { env } from "@/lib/env";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Why an address is refused. */
export const KEYS_IN_PLAIN_TEXT = "use https, this machine, or a host:port that OUTBOUND_ALLOW names";

/** Whether signing keys may be fetched there: whoever can change an answer in plain text can sign as the issuer. */
export function mayServeKeys(address: string): boolean {
  const { protocol, hostname, port } = new URL(address);
  if (protocol === "https:" || LOOPBACK.test(hostname)) return true;
  const place = `${hostname}:${port === "" ? "80" : port}`;
  return env.OUTBOUND_ALLOW.some((entry) => entry.toLowerCase() === place);
}
