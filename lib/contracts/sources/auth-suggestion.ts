import { z } from "zod";

/**
 * The part of a source's `auth` that a document can state. Empty texts mark what it leaves open, and an admin must
 * state.
 */
const statedAuth = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("api_key"), in: z.enum(["header", "query"]), name: z.string() }),
  z.object({ mode: z.literal("basic") }),
  z.object({ mode: z.literal("bearer") }),
  z.object({ mode: z.literal("client_credentials"), tokenUrl: z.string(), scope: z.string() }),
  z.object({ mode: z.literal("token_exchange"), tokenUrl: z.string(), scope: z.string() }),
]);

/**
 * One way to authenticate that a document names (OpenAPI 3.1, Security Scheme Object), as a start for the source's
 * `auth`. Never takes a secret, user or client from a document.
 */
export const authSuggestion = z.object({
  /** The name of the scheme in the document. */
  scheme: z.string(),
  auth: statedAuth,
  /** The origins that would receive the secret: the operations' servers, and the token URL's. */
  origins: z.array(z.string()),
});

/** A suggested `auth` for a source. */
export type AuthSuggestion = z.output<typeof authSuggestion>;
