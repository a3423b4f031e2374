import { oncePer } from "@/lib/access/model/once-per";
import type { Parts } from "@/lib/access/model/parts";
import { AnthropicBudget } from "@/lib/manifest/schema/anthropic-strict";
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
interface ManifestTexts {
  /** The JSON of each member. */
  readonly texts: readonly string[];
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

/** Whether a tool's form depends on the tools before it in the list: Anthropic counts strict tools per request. */
const COUNTS_TOOLS: Partial<Record<ManifestFormat, (options: RenderOptions) => boolean>> = {
  anthropic: ({ whole }) => whole,
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

/**
 * A manifest in a vendor's format, in the order of the entries; in parts, for lists of any length. Makes a tool's text
 * once per entry, so that lists share it.
 */
export function* manifestTexts(
  format: ManifestFormat,
  entries: readonly ManifestEntry[],
  options: RenderOptions = { deferLoading: false, whole: true },
): Parts<ManifestTexts> {
  const counts = COUNTS_TOOLS[format]?.(options) ?? false;
  const render = counts ? textRenderer(format, options) : sharedRenderer(format, options);
  const search = options.deferLoading && entries.length > 0 ? TOOL_SEARCH[format] : undefined;
  const texts = search === undefined ? [] : [JSON.stringify(search)];
  const notes: ManifestTexts["notes"][number][] = [];
  for (const entry of entries) {
    const rendered = render(entry);
    if (rendered.text !== null) texts.push(rendered.text);
    for (const note of rendered.notes) notes.push({ name: entry.resolved.exposedName, ...note });
    yield;
  }
  return { texts, notes };
}

interface RenderedText extends Pick<RenderedTool, "notes"> {
  /** `null` = the format leaves the tool out. */
  readonly text: string | null;
}

function textRenderer(format: ManifestFormat, options: RenderOptions): (entry: ManifestEntry) => RenderedText {
  const render = FORMATS[format](options);
  return (entry) => {
    const { tool, notes } = render(entry);
    return { text: tool === null ? null : JSON.stringify(tool), notes };
  };
}

const sharedRenderers = new Map<string, (entry: ManifestEntry) => RenderedText>();

/** The renderer for options under which the text of a tool does not depend on the other tools. Remembers each text. */
function sharedRenderer(format: ManifestFormat, options: RenderOptions): (entry: ManifestEntry) => RenderedText {
  const form = `${format} ${options.deferLoading}`;
  const renderer = sharedRenderers.get(form) ?? oncePer(textRenderer(format, options));
  sharedRenderers.set(form, renderer);
  return renderer;
}
