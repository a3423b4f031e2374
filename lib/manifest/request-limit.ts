import type { ManifestFormat } from "@/lib/contracts/agents/agent-api";

/** The most tools that a vendor accepts in one request. Other vendors publish no limit. */
const MAX_TOOLS: Partial<Record<ManifestFormat, number>> = {
  // platform.openai.com/docs/api-reference/chat/create: "A max of 128 functions are supported."
  "openai-chat": 128,
};

/** The vendor's limit, when a list with this many tools exceeds it; `null` when the vendor accepts the list. */
export function exceededLimit(format: ManifestFormat, tools: number): number | null {
  const most = MAX_TOOLS[format] ?? Infinity;
  return tools > most ? most : null;
}
