import { z } from "zod";

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
