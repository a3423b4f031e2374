import { env } from "@/lib/env";

/**
 * Lets outbound requests of this test process reach `host:port`, as an operator does with OUTBOUND_ALLOW.
 * Ports of test servers are only known once they run.
 */
export function allowOutbound(...hosts: readonly string[]): void {
  env.OUTBOUND_ALLOW.push(...hosts);
}
