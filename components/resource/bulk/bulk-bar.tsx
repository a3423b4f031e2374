import { ChevronDown, X } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { useFocusKey } from "@/components/keyboard/use-focus-key";
import { useGo } from "@/components/resource/go";
import { totalText } from "@/components/resource/list/total-text";
import type { Selection } from "@/components/resource/list/use-selection";
import type { BulkAction, BulkChangeAction } from "@/components/resource/view";
import { Button, IconButton } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/overlays/menu";
import type { ConfigSection } from "@/lib/resources/sections";
import type { Total } from "@/lib/contracts/changes/list";

const Dialog = lazyPart(async () => (await import("@/components/resource/bulk/bulk-dialog")).BulkDialog);

interface BulkBarProps {
  words: readonly [string, string];
  /** Absent: they cannot be changed together. */
  bulk?: { readonly section: ConfigSection; readonly actions: readonly BulkAction[] } | undefined;
  selection: Selection;
  /** How many rows are shown, and how many match. */
  shown: number;
  of: Total | undefined;
  /** The list's search and filters: "all" means every row that they match. */
  query: Readonly<Record<string, string>>;
  /** Rows that are not shown cannot be selected. */
  onlyShown?: boolean;
  /** More actions for them. */
  children?: ReactNode;
}

/** The number of actions in the bar; the others are in its menu. */
const MAX_BUTTONS = 2;
const DELETE: BulkChangeAction = { label: "Delete", change: { kind: "delete" } };

/** A bar below a list: the number of selected rows and the actions for all of them. Hidden while no row is selected. */
export function BulkBar({ words, bulk, selection, shown, of, query, onlyShown = false, children }: BulkBarProps) {
  const { ids, all } = selection;
  const bar = useRef<HTMLDivElement>(null);
  const restoreFocus = useFocusKey("bar", () => bar.current);
  const clear = () => {
    restoreFocus();
    selection.clear();
  };
  const total = of?.total ?? shown;
  const count = all && of !== undefined ? totalText(of) : ids.size.toLocaleString("en");
  const more = !onlyShown && !all && ids.size < total;
  return (
    <div
      ref={bar}
      hidden={!all && ids.size === 0}
      role="toolbar"
      aria-label={`Selected ${words[1]}`}
      data-bottom-bar
      className="flex min-h-11 flex-wrap items-center gap-2 border-t border-line bg-panel px-5 py-1.5"
    >
      <span aria-live="polite" className="text-sm font-medium tabular-nums">
        {count} selected
      </span>
      {more && (
        <Button size="sm" variant="ghost" onClick={selection.chooseAll}>
          Select all {of === undefined ? shown : totalText(of)}
          {Object.keys(query).length > 0 && " that match"}
        </Button>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {bulk !== undefined && (
          <Actions
            {...bulk}
            words={words}
            selection={selection}
            count={all ? total : ids.size}
            query={query}
            onClear={clear}
          />
        )}
        {children}
        <IconButton icon={X} label="Clear selection" onClick={clear} />
      </span>
    </div>
  );
}

interface ActionsProps extends NonNullable<BulkBarProps["bulk"]>, Pick<BulkBarProps, "words" | "selection" | "query"> {
  count: number;
  onClear: () => void;
}

/** The actions for all selected rows: the first ones as buttons, the others in a menu. */
function Actions({ section, actions, words, selection, count, query, onClear }: ActionsProps) {
  const go = useGo();
  const [doing, setDoing] = useState<BulkChangeAction | null>(null);
  // A page takes the ids of ticked rows, so it cannot begin from a filter.
  const possible = actions.filter((action) => !selection.all || !("addressFor" in action));
  const start = (action: BulkAction) =>
    "addressFor" in action ? go(action.addressFor([...selection.ids])) : setDoing(action);
  return (
    <>
      {possible.slice(0, MAX_BUTTONS).map((action) => (
        <Button key={action.label} size="sm" onClick={() => start(action)}>
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
        {possible.slice(MAX_BUTTONS).map((action) => (
          <MenuItem key={action.label} onSelect={() => start(action)}>
            {action.label}…
          </MenuItem>
        ))}
        {possible.length > MAX_BUTTONS && <MenuSeparator />}
        <MenuItem danger onSelect={() => setDoing(DELETE)}>
          Delete…
        </MenuItem>
      </Menu>
      {doing !== null && (
        <Dialog
          section={section}
          words={words}
          action={doing}
          rows={selection.all ? { query } : { ids: [...selection.ids] }}
          count={count}
          onClose={() => setDoing(null)}
          onDone={() => {
            setDoing(null);
            onClear();
          }}
        />
      )}
    </>
  );
}
