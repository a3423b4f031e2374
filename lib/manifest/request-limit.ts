import type { ManifestFormat } from "@/lib/contracts/agents/agent-api";

/** The most tools that a vendor takes in one request; of the others no such limit is published. */
const MOST_TOOLS: Partial<Record<ManifestFormat, number>> = {
  // platform.openai.com/docs/api-reference/chat/create: "A max of 128 functions are supported."
  "openai-chat": 128,
};

/** The limit of a format's vendor that a list of so many tools is over; `null` = the vendor takes the list. */
export function exceededLimit(format: ManifestFormat, tools: number): number | null {
  const most = MOST_TOOLS[format] ?? Infinity;
  return tools > most ? most : null;
}
