import type { Stored } from "@/lib/store/config/values";
import { findConnection } from "@/lib/store/oauth/connections";

/** What requests have read, by the context of the request. */
const reads = new WeakMap<object, Map<string, Promise<Stored<"connections"> | null>>>();

/**
 * The connection of a grant, read once by each request, because oidc-provider asks for it at several steps. A connection that
 * ends meanwhile ends the new token too: every use of a token checks it in the snapshot.
 */
export function connectionOf(ctx: object, id: string): Promise<Stored<"connections"> | null> {
  const known = reads.get(ctx) ?? new Map<string, Promise<Stored<"connections"> | null>>();
  reads.set(ctx, known);
  const read = known.get(id) ?? findConnection(id);
  known.set(id, read);
  return read;
}
