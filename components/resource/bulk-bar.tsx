"use client";

import { ChevronDown, X } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { totalText } from "@/components/resource/total-text";
import type { Selection } from "@/components/resource/use-selection";
import type { BulkAction } from "@/components/resource/view";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import type { ConfigSection } from "@/lib/resources";
import type { Total } from "@/lib/resources/list";

const Dialog = lazy(async () => ({ default: (await import("@/components/resource/bulk-dialog")).BulkDialog }));

interface BulkBarProps {
  section: ConfigSection;
  words: readonly [string, string];
  actions: readonly BulkAction[];
  selection: Selection;
  /** How many rows are shown, and how many match. */
  shown: number;
  of: Total | undefined;
  /** The list's search and filters: all rows that they match are meant by "all". */
  query: Readonly<Record<string, string>>;
}

/** How many actions stand in the bar; the others are in its menu. */
const IN_SIGHT = 2;
const DELETE: BulkAction = { label: "Delete", change: { kind: "delete" } };

/** Below a list while rows are chosen: how many, and what can be done with all of them. */
export function BulkBar({ section, words, actions, selection, shown, of, query }: BulkBarProps) {
  const [doing, setDoing] = useState<BulkAction | null>(null);
  const { ids, all } = selection;
  if (ids.size === 0 && !all) return null;
  const total = of?.total ?? shown;
  const count = all && of !== undefined ? totalText(of) : ids.size.toLocaleString("en");
  const more = !all && ids.size < total;
  return (
    <div
      role="toolbar"
      aria-label={`Chosen ${words[1]}`}
      className="flex min-h-11 flex-wrap items-center gap-2 border-t border-line bg-panel px-5 py-1.5"
    >
      <span aria-live="polite" className="text-sm font-medium tabular-nums">
        {count} chosen
      </span>
      {more && (
        <Button size="sm" variant="ghost" onClick={selection.chooseAll}>
          Choose all {of === undefined ? shown : totalText(of)}
          {Object.keys(query).length > 0 && " that match"}
        </Button>
      )}
      <span className="ml-auto flex items-center gap-2">
        {actions.slice(0, IN_SIGHT).map((action) => (
          <Button key={action.label} size="sm" onClick={() => setDoing(action)}>
            {action.label}
          </Button>
        ))}
        <Menu
          trigger={
            <Button size="sm">
              More <ChevronDown aria-hidden />
            </Button>
          }
        >
          {actions.slice(IN_SIGHT).map((action) => (
            <MenuItem key={action.label} onSelect={() => setDoing(action)}>
              {action.label}…
            </MenuItem>
          ))}
          {actions.length > IN_SIGHT && <MenuSeparator />}
          <MenuItem danger onSelect={() => setDoing(DELETE)}>
            Delete…
          </MenuItem>
        </Menu>
        <Button size="icon" variant="ghost" aria-label="Choose none" onClick={selection.clear}>
          <X aria-hidden />
        </Button>
      </span>
      {doing !== null && (
        <Suspense>
          <Dialog
            section={section}
            words={words}
            action={doing}
            rows={all ? { query } : { ids: [...ids] }}
            count={all ? total : ids.size}
            onClose={() => setDoing(null)}
            onDone={() => {
              setDoing(null);
              selection.clear();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
