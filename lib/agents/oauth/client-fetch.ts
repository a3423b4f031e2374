import { Provider } from "oidc-provider/lib/provider.js";
import { fromJson } from "@/lib/access/model/json";
import { dotted, flawIn } from "@/lib/access/model/storable";
import { describable } from "@/lib/agents/oauth/describable";
import { AppError } from "@/lib/errors";
import type { Outbound, OutboundAnswer } from "@/lib/outbound/fetch";
import { keepClientDocument, lastClientDocument } from "@/lib/store/oauth/client-documents";
import { log } from "@/lib/telemetry/log";

/** Limits of a client document and of a client's key set: milliseconds and bytes. */
const LIMITS = { totalMs: 5_000, maxBytes: 16 * 1024 } as const;
/** The deepest nesting of either. */
const MAX_DEPTH = 16;

/** The `fetch` that oidc-provider calls for client documents and clients' key sets. */
type ProviderFetch = (url: string | URL, options: { readonly headers?: HeadersInit }) => Promise<Response>;

/** A fetched client document that oidc-provider has not validated yet, by the context of its request. */
const fetched = new WeakMap<object, { readonly address: string; readonly document: object }>();
/** What is wrong with the document that a request needed, by the context of the request. */
const faults = new WeakMap<object, string>();

/**
 * Fetches through our outbound client, which reaches public addresses only. The dispatcher that
 * oidc-provider passes is not used. When the host of a document fails, its last good version answers until 24 hours after its fetch.
 */
export function clientFetch(outbound: Outbound): ProviderFetch {
  return async (url) => {
    const address = String(url);
    const answer = await outbound({ url: address, headers: { accept: "application/json" }, ...LIMITS }).catch(
      (error: unknown) => {
        log.warn({ err: error, client: address.slice(0, 200) }, "A client document could not be fetched.");
        return null;
      },
    );
    const kept = answer === null || answer.status >= 500 ? await lastClientDocument(address) : null;
    if (kept !== null) return Response.json(kept);
    const text = answer === null ? "" : new TextDecoder().decode(answer.body);
    const value = fromJson(text);
    const fault = faultOf(answer, value);
    if (fault !== null) {
      const sentence = `The document at ${address} ${fault}.`;
      faults.set(Provider.ctx, sentence);
      throw new AppError("upstream_error", sentence);
    }
    if (isDocumentOf(address, value)) fetched.set(Provider.ctx, { address, document: value });
    return new Response(text, { headers: { "cache-control": answer?.headers["cache-control"] ?? "" } });
  };
}

/** Keeps the document that a request fetched, once oidc-provider has made a client from it: it is a good one. */
export async function keepValidDocument(ctx: object, clientId: string): Promise<void> {
  const found = fetched.get(ctx);
  if (found?.address === clientId) await keepClientDocument(clientId, found.document);
  fetched.delete(ctx);
}

/**
 * The description of an error whose request needed a document that cannot be used; `null` = another error. oidc-provider says
 * only that a fetch failed.
 */
export function documentFault(ctx: object): { readonly error_description: string } | null {
  const fault = faults.get(ctx);
  return fault === undefined ? null : { error_description: describable(fault) };
}

/** What the developers of a client read. It does not say why a host was not reached: that would describe our network. */
function faultOf(answer: OutboundAnswer | null, value: unknown): string | null {
  if (answer === null) return "could not be fetched";
  if (answer.status !== 200) return `was answered with status ${answer.status}`;
  if (value === undefined) return "is not JSON";
  const flaw = flawIn(value, MAX_DEPTH);
  return flaw === null ? null : `has a fault: \`${dotted(flaw.keys)}\` ${flaw.message}`;
}

/** A client document names its own address; any other JSON, such as a key set, is not kept. */
function isDocumentOf(address: string, value: unknown): value is object {
  return typeof value === "object" && value !== null && "client_id" in value && value.client_id === address;
}
