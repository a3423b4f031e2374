import { z } from "zod";
import { LOOPBACK_HOSTS } from "@/lib/access/model/addresses";
import { description, jsonObject, meta, slug } from "@/lib/resources/parts/name";

/** An address to which a code may be sent: https, a loopback address, or a program's own scheme (RFC 8252, 7). */
const redirectUri = z
  .url({ abort: true, error: "use a URL, such as https://app.example.com/callback" })
  .max(2048)
  .refine((address) => {
    const { protocol, hostname, hash } = new URL(address);
    const isLoopback = LOOPBACK_HOSTS.includes(hostname);
    if (hash !== "" || /^(?:javascript|vbscript|data|blob|file|about):$/.test(protocol)) return false;
    return protocol !== "http:" || isLoopback;
  }, "use https, http to this computer, or a program's own scheme, without a fragment");

const fields = {
  /** The OAuth `client_id`. */
  name: slug,
  description: description.default(""),
  enabled: z.boolean().default(true),
  /** Where people return after the sign-in; an empty list = nobody signs in through this client. */
  redirectUris: z.array(redirectUri).max(20).default([]),
  /** The agent that the client acts as without a person (client credentials); `null` = it always needs a person. */
  agent: slug.nullable().default(null),
  /** Public keys, with which the client proves who it is (`private_key_jwt`); `null` = a public client. */
  jwks: z
    .strictObject({ keys: z.array(jsonObject).min(1).max(20) })
    .nullable()
    .default(null),
};

/** A client that an admin registers, for programs without a client document. */
export const clientInput = z.strictObject(fields).superRefine((client, context) => {
  const problem = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
  if (client.redirectUris.length === 0 && client.agent === null)
    problem("redirectUris", "enter a redirect address, or choose an agent that the client acts as without a person");
  if (client.agent !== null && client.jwks === null)
    problem("jwks", "a client that acts without a person needs keys: give its public keys");
  if (client.jwks?.keys.some((key) => "d" in key || "k" in key) === true)
    problem("jwks", "this is a private or symmetric key: give public keys only");
});

/** A stored client. */
export const clientRow = z.object({ ...fields, ...meta });

/** A client with its revision. */
export type ClientRow = z.output<typeof clientRow>;
