import { z } from "zod";
import { description, jsonObject, meta, slug } from "@/lib/resources/parts/name";

/** Asymmetric signature algorithms only: `none` and HMAC cannot be configured (docs/reference/promises.md#tokens). */
export const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;

const fields = {
  name: slug,
  description: description.default(""),
  /** The exact `iss`. With a subject of up to 512 characters it is in one index, whose entries Postgres limits to 2,704 bytes. */
  issuer: z.string().min(1).max(512),
  /** The exact `aud`; one of the token's audiences must equal it. */
  audience: z.string().min(1).max(2048),
  jwksUri: z
    .url({ protocol: /^https?$/, error: "use an http(s) URL" })
    .nullable()
    .default(null),
  /** A static key set instead of a URL: public keys only. */
  jwks: z
    .strictObject({ keys: z.array(jsonObject).min(1).max(50) })
    .nullable()
    .default(null),
  algorithms: z.array(z.enum(ALGORITHMS)).min(1, "name at least one algorithm").default(["ES256", "RS256"]),
  /** Accepted `typ` headers, lower case; a token without `typ` counts as `jwt`. ID tokens are not access tokens. */
  types: z.array(z.string().min(1).max(64).toLowerCase()).min(1).default(["at+jwt", "jwt"]),
  /** Maximum age of a token in seconds since it was issued, whatever its `exp` says. */
  maxTokenAgeSeconds: z.number().int().min(60).max(31_536_000).default(86_400),
  /** False: only subjects that are bound to a registered agent are accepted. */
  allowUnregistered: z.boolean().default(true),
  /**
   * Whether the issuer's identity assertions (ID-JAG) for its people are accepted at our token endpoint
   * (docs/reference/client-sign-in.md#identity-assertions).
   */
  identityAssertions: z.boolean().default(false),
  capabilitiesClaim: z.string().max(256).nullable().default(null),
  enabled: z.boolean().default(true),
};

/** An issuer as an admin writes it. */
export const issuerInput = z.strictObject(fields).superRefine((issuer, context) => {
  if ((issuer.jwksUri === null) === (issuer.jwks === null))
    context.addIssue({ code: "custom", path: ["jwksUri"], message: "state either `jwksUri` or `jwks`" });
  issuer.jwks?.keys.forEach((key, index) => {
    if ("d" in key || "k" in key)
      context.addIssue({
        code: "custom",
        path: ["jwks", "keys", index],
        message: "this is a private or symmetric key: give public keys only",
      });
  });
});

/** A stored issuer. */
export const issuerRow = z.object({ ...fields, ...meta });

/** An issuer with its revision. */
export type IssuerRow = z.output<typeof issuerRow>;
