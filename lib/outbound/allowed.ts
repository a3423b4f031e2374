import { env } from "@/lib/env";

/** Whether OUTBOUND_ALLOW names the host and the port of an address. */
export function isOutboundAllowed({ protocol, hostname, port }: URL): boolean {
  const hostAndPort = `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
  return env.OUTBOUND_ALLOW.some((entry) => entry.toLowerCase() === hostAndPort);
}
