"use client";

import { Copy } from "lucide-react";
import type { PreviewBody } from "@/components/preview/draft";
import { loadManifest, useManifestSizes } from "@/components/preview/use-preview";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/overlays/menu";
import { toast } from "@/components/ui/overlays/toast";
import type { ManifestFormat } from "@/lib/contracts/agents/agent-api";

const FORMATS: readonly { format: ManifestFormat; label: string }[] = [
  { format: "native", label: "Native" },
  { format: "openai", label: "OpenAI Responses" },
  { format: "openai-chat", label: "OpenAI Chat" },
  { format: "anthropic", label: "Anthropic" },
  { format: "gemini", label: "Gemini" },
  { format: "mcp", label: "Model Context Protocol" },
];

/** Notes that a toast has room for; the rest is counted. */
const MAX_NOTES = 2;

/** The limits of the format: tools that are not strict or not complete, with reasons. */
function toldOf(notes: Awaited<ReturnType<typeof loadManifest>>["notes"]): readonly string[] {
  const told = notes.slice(0, MAX_NOTES).map(({ name, kind, reason }) => `${name} is ${WORDS[kind]}: ${reason}`);
  return notes.length > MAX_NOTES ? [...told, `And ${notes.length - MAX_NOTES} more.`] : told;
}

const WORDS = { not_strict: "not strict", narrowed: "incomplete", left_out: "left out" } as const;

/** Copies what this caller's client would receive, in the format of its model's vendor. */
export function ManifestMenu({ body }: { body: PreviewBody }) {
  const copy = async (format: ManifestFormat, label: string) => {
    try {
      const { text, tokens, notes } = await loadManifest(body, format);
      await navigator.clipboard.writeText(text);
      const said = [`${label}, about ${tokens.toLocaleString("en")} tokens.`, ...toldOf(notes)];
      toast({ title: "Manifest copied", description: said.join(" ") });
    } catch (error) {
      toast({
        title: "Could not copy the manifest",
        description: error instanceof Error ? error.message : undefined,
        tone: "failed",
      });
    }
  };
  return (
    <Menu
      trigger={
        <Button size="sm">
          <Copy aria-hidden /> Copy manifest
        </Button>
      }
    >
      <Formats body={body} onFormat={(format, label) => void copy(format, label)} />
      <MenuSeparator />
      <MenuItem
        onSelect={() => {
          void navigator.clipboard.writeText(JSON.stringify(body, null, 2));
          toast({ title: "Preview request copied" });
        }}
      >
        This preview’s request
      </MenuItem>
    </Menu>
  );
}

/** The formats, each with its tokens of a model's context. */
function Formats({ body, onFormat }: { body: PreviewBody; onFormat: (format: ManifestFormat, label: string) => void }) {
  const { data: sizes } = useManifestSizes(body);
  return FORMATS.map(({ format, label }) => (
    <MenuItem key={format} onSelect={() => onFormat(format, label)}>
      <span className="flex-1">{label}</span>
      <span className="pl-6 text-xs text-faint tabular-nums">
        {sizes === undefined || sizes === null ? "" : `≈ ${sizes[format].toLocaleString("en")} tokens`}
      </span>
    </MenuItem>
  ));
}
