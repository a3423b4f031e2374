import { createHash } from "node:crypto";

/**
 * The address that a request came from, for counting failures: the last entry of `x-forwarded-for`,
 * which is what the nearest hop wrote. The front (or, without one, Next itself) writes the socket's
 * address there; entries before it are whatever a client claims.
 */
export function clientAddress(headers: Headers): string {
  const nearest = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  if (nearest === "") return "unknown";
  return nearest.length <= 64 ? nearest : createHash("sha256").update(nearest).digest("hex");
}
