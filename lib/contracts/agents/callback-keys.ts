import { z } from "zod";

/** `use=seal`: every trusted key of seals, also of master keys that were removed after a rotation. */
export const callbackKeyQuery = z.strictObject({ use: z.literal("seal", "use seal, or leave it out").optional() });

/** `GET /api/jwks.json`: the keys that verify callbacks and seals of the log (RFC 7517, RFC 8037). */
export const callbackKeySet = z.object({
  keys: z.array(
    z.object({
      kty: z.literal("OKP"),
      crv: z.literal("Ed25519"),
      x: z.string(),
      kid: z.string(),
      use: z.literal("sig"),
      alg: z.literal("EdDSA"),
    }),
  ),
});

/** The keys. */
export type CallbackKeys = z.output<typeof callbackKeySet>;
