import { toAnthropic } from "@/lib/manifest/anthropic";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { toGemini } from "@/lib/manifest/gemini";
import { toMcp } from "@/lib/manifest/mcp";
import { toNative } from "@/lib/manifest/native";
import { toOpenAi, toOpenAiChat } from "@/lib/manifest/openai";
import type { ManifestFormat } from "@/lib/resources/agent-api";

/** The renderer of each format: a new one is one file and one line here. */
const RENDERERS = {
  native: toNative,
  openai: toOpenAi,
  "openai-chat": toOpenAiChat,
  anthropic: toAnthropic,
  gemini: toGemini,
  mcp: toMcp,
} satisfies Record<ManifestFormat, (entry: ManifestEntry) => object>;

/** A manifest in a vendor's format, one object a tool, in the order of the entries. */
export function renderManifest(format: ManifestFormat, entries: readonly ManifestEntry[]): object[] {
  return entries.map((entry) => RENDERERS[format](entry));
}
