import { z } from "zod";

/** Of a source's `auth`, what a document can say; empty texts are what it leaves open. The rest is an admin's to state. */
const statedAuth = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("api_key"), in: z.enum(["header", "query"]), name: z.string() }),
  z.object({ mode: z.literal("basic") }),
  z.object({ mode: z.literal("bearer") }),
  z.object({ mode: z.literal("client_credentials"), tokenUrl: z.string(), scope: z.string() }),
  z.object({ mode: z.literal("token_exchange"), tokenUrl: z.string(), scope: z.string() }),
]);

/**
 * One way to authenticate that a document names (OpenAPI 3.1, Security Scheme Object): a start for the source's `auth`.
 * No secret, user or client is ever taken from a document.
 */
export const authSuggestion = z.object({
  /** The scheme's name in the document. */
  scheme: z.string(),
  auth: statedAuth,
  /** Where the secret would go: the servers of the operations, and the token URL's. */
  origins: z.array(z.string()),
});

/** A start for a source's `auth`. */
export type AuthSuggestion = z.output<typeof authSuggestion>;
