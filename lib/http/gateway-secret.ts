import { createHash, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

/** The header in which the gateway proves to the app that a request comes from it. */
export const GATEWAY_SECRET_HEADER = "x-gateway-secret";
/** Marks the gateway's own requests to the app. The gateway removes it from the requests that it forwards. */
export const GATEWAY_OWN_HEADER = "x-gateway-own";

/** Whether this process is the app behind a gateway: it runs no jobs, and answers only the gateway. */
export function isBehindGateway(): boolean {
  return env.GATEWAY_SECRET !== undefined;
}

/** Whether this process may answer a request: it carries the secret, or no secret is set. */
export function isFromGateway(headers: Headers): boolean {
  return env.GATEWAY_SECRET === undefined || isSameText(headers.get(GATEWAY_SECRET_HEADER) ?? "", env.GATEWAY_SECRET);
}

/** The error for requests from anyone but the gateway. */
export function notFromGateway(): AppError {
  return new AppError("forbidden", "This process only answers its gateway: use the public address.");
}

/** Compares texts in a time that does not depend on their content. */
export function isSameText(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
