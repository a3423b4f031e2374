import type { JsonObject } from "@/lib/access/model/configuration";

/** The scopes of a caller's token: `scope` as words (RFC 9068), `scp` as words or a list. */
export function scopesOf(claims: JsonObject): ReadonlySet<string> {
  return new Set(
    ["scope", "scp"].flatMap((name) => {
      const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
      if (typeof value === "string") return value.split(" ").filter(Boolean);
      return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
    }),
  );
}
