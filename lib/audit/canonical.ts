import canonicalize from "canonicalize";
import type { Json } from "@/lib/access/configuration";

/** JSON text that is equal for equal values (RFC 8785, JSON Canonicalization Scheme). */
export function canonicalText(value: Json): string {
  return canonicalize(value) ?? "null";
}
