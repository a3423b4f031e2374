import type { Json } from "@/lib/access/model/configuration";

/** The text shown in place of a sensitive claim. */
const MASK = "•••";

/** Parts of claim names whose values an explanation never shows. Compared in lower case without separators. */
const SENSITIVE_CLAIMS: readonly string[] = [
  "token",
  "secret",
  "password",
  "passwd",
  "credential",
  "apikey",
  "privatekey",
  "authorization",
  "cookie",
  "session",
  "email",
  "phone",
  "birthdate",
  "ssn",
];

/** True when a claim path names something personal or secret. */
function isSensitiveClaim(path: string): boolean {
  const plain = path.toLowerCase().replaceAll(/[-_\s]/g, "");
  return SENSITIVE_CLAIMS.some((part) => plain.includes(part));
}

/** A claim's value, masked for an explanation when it is sensitive. */
export function maskClaim(path: string, value: Json | undefined): Json | undefined {
  return value === undefined || value === null || !isSensitiveClaim(path) ? value : MASK;
}
