import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import type { BaseUIEvent } from "@base-ui/react/types";
import { Search } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useRecent } from "@/components/palette/recent";
import {
  beginningWith,
  fitting,
  logTarget,
  pagesFor,
  verbsFor,
  type PaletteActions,
  type Group,
  type Target,
} from "@/components/palette/targets";
import { useFound } from "@/components/palette/use-found";
import { useGo } from "@/components/resource/go";
import { useDebounced } from "@/components/resource/use-debounced";
import type { ResourceFacts } from "@/components/resource/view";
import { useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import type { ResourceName } from "@/lib/resources";

interface PaletteProps {
  /** The resources that the role may read. */
  facts: readonly ResourceFacts<ResourceName>[];
  actions: PaletteActions;
  /** The typed text, also before the field exists. */
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
}

/** Finds objects, pages and actions by name. Leaves out what the role may not do. */
export function Palette({ facts, actions, text, onText, onClose }: PaletteProps) {
  const go = useGo();
  const typed = text.trim();
  const searched = useDebounced(typed, 150);
  const found = useFound(facts, searched);
  // The results may belong to an older text. Enter must not choose one that no longer fits.
  const isStale = searched !== typed || found.pending;
  const targets = isStale ? fitting(found.targets, typed) : found.targets;
  const groups = useGroups({ facts, actions, typed, found: targets });
  const choose = ({ does }: Target) => {
    onClose();
    if ("run" in does) return does.run();
    does.first?.();
    go(does.href);
  };

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[light-dark(rgb(15_18_30/0.3),rgb(0_0_0/0.6))]" />
        <Dialog.Popup
          aria-label="Search or jump"
          className="popup fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-xl"
        >
          <Autocomplete.Root
            inline
            open
            mode="none"
            autoHighlight="always"
            keepHighlight
            items={groups}
            value={text}
            onValueChange={(next, { reason }) => reason !== "item-press" && onText(next)}
            itemToStringValue={({ label }: Target) => label}
          >
            <div className="flex items-center gap-2 border-b border-line px-4">
              <Search aria-hidden className="size-4 shrink-0 text-faint" />
              <Autocomplete.Input
                aria-label="Search or jump"
                placeholder="Search policies, tools, agents or actions…"
                onKeyDown={pressHighlighted}
                className="h-11 min-w-0 flex-1 bg-transparent text-base outline-none"
              />
            </div>
            <Targets onChoose={choose} />
          </Autocomplete.Root>
          <Status
            found={found}
            waiting={searched !== typed}
            nothing={groups.every(({ label }) => label === LOG)}
            text={typed}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * Enter presses the target that is drawn as highlighted. By itself the list presses the one that it has registered at this
 * place: for a moment after new results, one of the former.
 */
function pressHighlighted(event: BaseUIEvent<KeyboardEvent<HTMLInputElement>>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  const dialog = event.currentTarget.closest("[role=dialog]");
  const highlighted = dialog?.querySelector<HTMLElement>("[data-highlighted]") ?? null;
  if (highlighted === null) return;
  event.preventBaseUIHandler();
  event.preventDefault();
  highlighted.click();
}

interface Offered extends Pick<PaletteProps, "facts" | "actions"> {
  typed: string;
  found: readonly Target[];
}

/** The heading of the search of the log, which is offered for every text. */
const LOG = "Log";

/** What fits the typed text, by group. Pages and actions that begin with the text stay first when search results arrive. */
function useGroups({ facts, actions, typed, found }: Offered): readonly Group[] {
  const { role } = useWho();
  const recent = fitting(useRecent(facts), typed);
  const pages = fitting(pagesFor(role), typed);
  const verbs = fitting(verbsFor(facts, actions), typed);
  const named = beginningWith([...pages, ...verbs], typed);
  return [
    { label: "Best match", items: named },
    { label: "Recent", items: recent },
    { label: "Found", items: typed === "" ? [] : without(found, recent) },
    { label: "Go to", items: without(pages, named) },
    { label: "Actions", items: without(verbs, named) },
    { label: LOG, items: typed === "" ? [] : logTarget(role, typed) },
  ].filter(({ items }) => items.length > 0);
}

function Targets({ onChoose }: { onChoose: (target: Target) => void }) {
  return (
    <Autocomplete.List className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5">
      {(group: Group) => (
        <Autocomplete.Group key={group.label} items={group.items} className="pb-1">
          <Autocomplete.GroupLabel className="px-2 pt-1.5 pb-1 text-xs font-medium text-faint">
            {group.label}
          </Autocomplete.GroupLabel>
          <Autocomplete.Collection>
            {(target: Target) => (
              <Autocomplete.Item
                key={target.id}
                value={target}
                onClick={() => onChoose(target)}
                className="flex h-8 cursor-default items-center gap-3 rounded-md px-2 text-sm outline-none select-none data-highlighted:bg-hover"
              >
                <span className="min-w-0 flex-1 truncate">{target.label}</span>
                <span className="shrink-0 text-xs text-faint">{target.hint}</span>
              </Autocomplete.Item>
            )}
          </Autocomplete.Collection>
        </Autocomplete.Group>
      )}
    </Autocomplete.List>
  );
}

interface StatusProps {
  found: ReturnType<typeof useFound>;
  waiting: boolean;
  nothing: boolean;
  text: string;
}

/** The state of the search: running, partly failed, or without results. */
function Status({ found, waiting, nothing, text }: StatusProps) {
  return (
    <div role="status" className="border-t border-line px-4 py-2 text-xs text-muted empty:hidden">
      {found.failed.length > 0 ? (
        <span className="flex items-center gap-3 text-deny">
          <span className="min-w-0 flex-1 truncate">Could not search {found.failed.join(", ")}.</span>
          <Button size="sm" onClick={found.retry}>
            Try again
          </Button>
        </span>
      ) : text === "" ? null : waiting || found.pending ? (
        <>
          <span className="sr-only">Searching…</span>
          <Skeleton className="my-0.5 h-3 w-40" />
        </>
      ) : nothing ? (
        <>No results for “{text}”.</>
      ) : null}
    </div>
  );
}

function without(targets: readonly Target[], others: readonly Target[]): readonly Target[] {
  const there = new Set(others.map(({ id }) => id));
  return targets.filter(({ id }) => !there.has(id));
}
