import { GitCompareArrows } from "lucide-react";
import type { Comparing } from "@/components/preview/use-comparing";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/overlays/menu";

const WITH: Readonly<Record<Comparing, string>> = {
  caller: "Another caller",
  revision: "Another revision of the rules",
  draft: "A draft of the rules",
};

interface CompareMenuProps {
  /** null: nothing is compared yet. */
  comparing: Comparing | null;
  onCompare: (kind: Comparing) => void;
  onEnd: () => void;
}

/** The choices for a comparison. */
export function CompareMenu({ comparing, onCompare, onEnd }: CompareMenuProps) {
  const kinds = (Object.keys(WITH) as Comparing[]).filter((kind) => kind !== comparing);
  return (
    <div className="flex gap-1.5">
      <Menu
        align="start"
        trigger={
          <Button size="sm">
            <GitCompareArrows aria-hidden /> {comparing === null ? "Compare" : "Compare with"}
          </Button>
        }
      >
        {kinds.map((kind) => (
          <MenuItem key={kind} onSelect={() => onCompare(kind)}>
            {WITH[kind]}
          </MenuItem>
        ))}
      </Menu>
      {comparing !== null && (
        <Button size="sm" variant="ghost" onClick={onEnd}>
          Stop comparing
        </Button>
      )}
    </div>
  );
}
