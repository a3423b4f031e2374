import { AnthropicBudget } from "@/lib/manifest/anthropic-strict";
import { toAnthropic } from "@/lib/manifest/anthropic";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { toGemini } from "@/lib/manifest/gemini";
import { toMcp } from "@/lib/manifest/mcp";
import { toNative } from "@/lib/manifest/native";
import { toOpenAi, toOpenAiChat } from "@/lib/manifest/openai";
import type { ManifestNote, RenderedTool } from "@/lib/manifest/rendered";
import type { ManifestFormat } from "@/lib/contracts/agents/agent-api";

/** Options of rendering a list, besides its format. */
interface RenderOptions {
  /** Leaves the tools to the vendor's own tool search, whose entry then comes first. */
  readonly deferLoading: boolean;
  /** Whether the list is complete: only then can limits per request be applied. */
  readonly whole: boolean;
}

/** A list in a vendor's format. */
interface RenderedManifest {
  readonly data: readonly object[];
  /** What the format cannot express, in the order of the list. */
  readonly notes: readonly (ManifestNote & { readonly name: string })[];
}

/** Creates the renderer of one list: the list's tools share the vendor's limits per request. */
type Format = (options: RenderOptions) => (entry: ManifestEntry) => RenderedTool;

/** The renderer of each format. A new format is one file and one line here. */
const FORMATS: Record<ManifestFormat, Format> = {
  native: () => (entry) => ({ tool: toNative(entry), notes: [] }),
  openai: (options) => (entry) => toOpenAi(entry, options.deferLoading),
  "openai-chat": () => toOpenAiChat,
  anthropic: ({ deferLoading, whole }) => {
    const budget = whole ? new AnthropicBudget() : null;
    return (entry) => toAnthropic(entry, deferLoading, budget);
  },
  gemini: () => toGemini,
  mcp: () => (entry) => ({ tool: toMcp(entry), notes: [] }),
};

/** The entry that a vendor's request needs when its tools are deferred. The other vendors have no such entry. */
const TOOL_SEARCH: Partial<Record<ManifestFormat, object>> = {
  // developers.openai.com/api/docs/guides/tools-tool-search
  openai: { type: "tool_search" },
  // platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool: the entry itself is never deferred
  anthropic: { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" },
};

/** Whether a format supports the vendor's tool search. */
export function canDefer(format: ManifestFormat): boolean {
  return TOOL_SEARCH[format] !== undefined;
}

/** A manifest in a vendor's format, in the order of the entries. */
export function renderManifest(
  format: ManifestFormat,
  entries: readonly ManifestEntry[],
  options: RenderOptions = { deferLoading: false, whole: true },
): RenderedManifest {
  const render = FORMATS[format](options);
  const rendered = entries.map((entry) => ({ name: entry.resolved.exposedName, ...render(entry) }));
  const search = options.deferLoading && entries.length > 0 ? TOOL_SEARCH[format] : undefined;
  return {
    data: [...(search === undefined ? [] : [search]), ...rendered.flatMap(({ tool }) => tool ?? [])],
    notes: rendered.flatMap(({ name, notes }) => notes.map((note) => ({ name, ...note }))),
  };
}
