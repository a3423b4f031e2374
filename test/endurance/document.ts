import { parseDocument } from "@/lib/config/document";
import { applyDocument } from "@/lib/store/save/config-document";
import type { Actor } from "@/lib/store/save/write";
import { SHIPPED_LABELS } from "@/lib/resources/shipped-flow";
import { builtinSources, builtinTools } from "@/lib/calls/builtin/index";

/** The actor of configuration changes here. */
export const ENDURANCE: Actor = { kind: "system", name: "endurance", role: "admin" };

/** The tool with an effect, and the one that nobody is granted. */
export const ORDER = "shop:order";
export const FORBIDDEN = "shop:forbidden";

/** Saves the configuration for the faults: a shop, its caller, one whose key is revoked, and an issuer of tokens. */
export async function saveShop(
  upstreamHost: string,
  { issuer, jwksUri }: { readonly issuer: string; readonly jwksUri: string },
): Promise<void> {
  const order = (operation: string, path: string) => ({
    id: `shop:${operation}`,
    description: "Asks the shop.",
    inputSchema: { type: "object", properties: { id: { type: "string" } }, additionalProperties: false },
    // Twice is not once: it is never tried again.
    run: {
      kind: "http",
      method: "POST",
      url: `http://${upstreamHost}${path}`,
      parameters: [{ property: "id", name: "id", in: "query" }],
    },
  });
  await saveDocument({
    sources: [...builtinSources(), { name: "shop", kind: "http", limits: { concurrency: 64 } }],
    labels: SHIPPED_LABELS,
    tools: [...builtinTools(), order("order", "/orders"), order("forbidden", "/forbidden")],
    groups: [
      { name: "shopping", selectors: [{ source: "shop", name: "order" }] },
      { name: "helpers", selectors: [{ source: "builtin" }] },
      { name: "locked", selectors: [{ source: "shop", name: "forbidden" }] },
    ],
    policies: [
      { name: "everyone", everyone: true, groups: ["shopping", "helpers"] },
      { name: "nobody", effect: "deny", everyone: true, groups: ["locked"] },
    ],
    agents: [{ name: "caller" }, { name: "gone" }],
    issuers: [{ name: "corp", audience: "quartermaster", issuer, jwksUri }],
  });
}

/** Saves parts of the configuration; unstated parts stay. */
export async function saveDocument(parts: Readonly<Record<string, unknown>>): Promise<number> {
  const parsed = parseDocument({ apiVersion: "quartermaster/v1", ...parts });
  if (!parsed.ok) throw new Error(`The document is not valid: ${JSON.stringify(parsed.errors.slice(0, 3))}`);
  return (await applyDocument(ENDURANCE, parsed.document)).revision;
}
