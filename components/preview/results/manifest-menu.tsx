import { toastFailure } from "@/components/resource/review/toast-failure";
import { Copy } from "lucide-react";
import type { PreviewBody } from "@/components/preview/draft";
import { loadManifest, useManifestSizes } from "@/components/preview/use-preview";
import { Button } from "@/components/ui/button";
import { copyText } from "@/components/ui/copy-button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/overlays/menu";
import { toast } from "@/components/ui/overlays/toast";
import type { ManifestFormat } from "@/lib/contracts/agents/agent-api";

/** The formats in the order of the menu, with their labels. */
const FORMATS: Readonly<Record<ManifestFormat, string>> = {
  native: "Native",
  openai: "OpenAI Responses",
  "openai-chat": "OpenAI Chat",
  anthropic: "Anthropic",
  gemini: "Gemini",
  mcp: "Model Context Protocol",
};
const FORMAT_NAMES = Object.keys(FORMATS) as ManifestFormat[];

/** Notes that a toast has room for; the rest is counted. */
const MAX_NOTES = 2;

/** The limits of the format: tools that are not strict or not complete, with reasons. */
function notesInWords(notes: Awaited<ReturnType<typeof loadManifest>>["notes"]): readonly string[] {
  const sentences = notes.slice(0, MAX_NOTES).map(({ name, kind, reason }) => `${name} is ${WORDS[kind]}: ${reason}`);
  return notes.length > MAX_NOTES ? [...sentences, `And ${notes.length - MAX_NOTES} more.`] : sentences;
}

const WORDS = { not_strict: "not strict", narrowed: "incomplete", left_out: "left out" } as const;

/** Copies what this caller's client would receive, in the format of its model's vendor. */
export function ManifestMenu({ body }: { body: PreviewBody }) {
  const copy = async (format: ManifestFormat) => {
    try {
      const { text, tokens, notes } = await loadManifest(body, format);
      if (!(await copyText(text))) return;
      const parts = [`${FORMATS[format]}, about ${tokens.toLocaleString("en")} tokens.`, ...notesInWords(notes)];
      toast({ title: "Manifest copied", description: parts.join(" ") });
    } catch (error) {
      toastFailure("Could not copy the manifest", error);
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
      <Formats body={body} onFormat={(format) => void copy(format)} />
      <MenuSeparator />
      <MenuItem
        onSelect={() =>
          void copyText(JSON.stringify(body, null, 2)).then(
            (isCopied) => isCopied && toast({ title: "Preview request copied" }),
          )
        }
      >
        This preview’s request
      </MenuItem>
    </Menu>
  );
}

/** The formats, each with its tokens of a model's context. */
function Formats({ body, onFormat }: { body: PreviewBody; onFormat: (format: ManifestFormat) => void }) {
  const { data: sizes } = useManifestSizes(body);
  return FORMAT_NAMES.map((format) => (
    <MenuItem key={format} onSelect={() => onFormat(format)}>
      <span className="flex-1">{FORMATS[format]}</span>
      <span className="pl-6 text-xs text-faint tabular-nums">
        {sizes === undefined || sizes === null ? "" : `≈ ${sizes[format].toLocaleString("en")} tokens`}
      </span>
    </MenuItem>
  ));
}
