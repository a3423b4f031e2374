import { createHash, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

/** The header in which the gateway proves to the app that a request comes from it. */
export const GATEWAY_SECRET_HEADER = "x-gateway-secret";

/** Whether this process is the app behind a gateway: it runs no jobs and answers nobody else. */
export function isBehindGateway(): boolean {
  return env.GATEWAY_SECRET !== undefined;
}

/** Whether a request may be answered here: it carries the secret, or this process needs none. */
export function isFromGateway(headers: Headers): boolean {
  return env.GATEWAY_SECRET === undefined || isSameText(headers.get(GATEWAY_SECRET_HEADER) ?? "", env.GATEWAY_SECRET);
}

/** What the app says to everybody else. */
export function notFromGateway(): AppError {
  return new AppError("forbidden", "This process answers its gateway only: use the public address.");
}

/** Compares in a time that does not depend on the texts. */
export function isSameText(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
