import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { keyLabels, KEYS } from "@/components/keyboard/keys";
import { useKey } from "@/components/keyboard/use-key";
import { useTypedAhead } from "@/components/palette/use-typed-ahead";
import type { PaletteActions } from "@/components/palette/targets";
import type { ResourceFacts } from "@/components/resource/view";
import { Kbd } from "@/components/ui/kbd";
import { lazyPart } from "@/components/ui/lazy-part";
import type { ResourceName } from "@/lib/resources";

const load = () => import("@/components/palette/palette");
const Palette = lazyPart(async () => (await load()).Palette);
const RememberRecent = lazyPart(async () => (await import("@/components/palette/recent")).RememberRecent);

interface PaletteLauncherProps {
  facts: readonly ResourceFacts<ResourceName>[];
  actions: PaletteActions;
}

/** Opens the palette from any page. Its code is loaded after the page. */
export function PaletteLauncher({ facts, actions }: PaletteLauncherProps) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const close = () => {
    setOpen(false);
    setText("");
  };
  useEffect(() => void load(), []);
  useKey("palette", () => (open ? close() : setOpen(true)));
  useTypedAhead(open, (typed) => setText((before) => before + typed));
  return (
    <>
      <button
        type="button"
        aria-label="Search or jump"
        title="Search or jump"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className="mr-2 flex h-7 w-64 min-w-0 items-center gap-2 rounded-md border border-line bg-panel px-2 text-sm text-faint transition-colors hover:border-edge hover:text-muted max-lg:w-auto max-sm:mr-0 max-sm:size-10 max-sm:justify-center"
      >
        <Search aria-hidden className="size-3.5 shrink-0" />
        <span aria-hidden className="flex-1 truncate text-left max-lg:hidden">
          Search or jump…
        </span>
        <span aria-hidden className="flex gap-0.5 max-lg:hidden">
          {keyLabels(KEYS.palette).map((label) => (
            <Kbd key={label}>{label}</Kbd>
          ))}
        </span>
      </button>
      <RememberRecent facts={facts} />
      {open && <Palette facts={facts} actions={actions} text={text} onText={setText} onClose={close} />}
    </>
  );
}
