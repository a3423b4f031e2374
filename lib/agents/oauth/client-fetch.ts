import { AppError } from "@/lib/errors";
import type { Outbound } from "@/lib/outbound/fetch";
import { keepClientDocument, lastClientDocument } from "@/lib/store/oauth/client-documents";
import { log } from "@/lib/telemetry/log";

/** Limits of a client document and of a client's key set: milliseconds and bytes. */
const LIMITS = { totalMs: 5_000, maxBytes: 16 * 1024 } as const;

/** The `fetch` that oidc-provider calls for client documents and clients' key sets. */
type ProviderFetch = (url: string | URL, options: { readonly headers?: HeadersInit }) => Promise<Response>;

/**
 * Fetches through our outbound client, which reaches public addresses only. The dispatcher that
 * oidc-provider passes is not used. When the host of a document fails, its last good version answers for up to 24 hours.
 */
export function clientFetch(outbound: Outbound): ProviderFetch {
  return async (url) => {
    const address = String(url);
    try {
      const { status, headers, body } = await outbound({
        url: address,
        headers: { accept: "application/json" },
        ...LIMITS,
      });
      const text = new TextDecoder().decode(body);
      const document = status === 200 ? documentOf(address, text) : null;
      if (document !== null) await keepClientDocument(address, document);
      if (status >= 500) throw new AppError("upstream_error", `The host answered with status ${status}.`);
      return new Response(text, { status, headers: { "cache-control": headers["cache-control"] ?? "" } });
    } catch (error) {
      log.warn({ err: error, client: address.slice(0, 200) }, "A client document could not be fetched.");
      const kept = await lastClientDocument(address);
      if (kept === null) throw error;
      return Response.json(kept);
    }
  };
}

/** A client document names its own address; any other JSON, such as a key set, is not kept. */
function documentOf(address: string, text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "client_id" in value && value.client_id === address
      ? value
      : null;
  } catch {
    return null;
  }
}
