import { Bookmark, Check, Users } from "lucide-react";
import { useState } from "react";
import type { ListLayout } from "@/components/resource/list/use-list-layout";
import { useViews, viewHref } from "@/components/resource/list/use-views";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu, MenuGroup, MenuItem, MenuLink, MenuSeparator } from "@/components/ui/overlays/menu";
import type { SavedViewRow, ViewedList } from "@/lib/resources/saved-view";

const SaveView = lazyPart(async () => (await import("@/components/resource/list/views-dialogs")).SaveView);
const ManageViews = lazyPart(async () => (await import("@/components/resource/list/views-dialogs")).ManageViews);

interface ViewsMenuProps {
  list: ViewedList;
  /** The present state of the list in the URL, without defaults. */
  query: Readonly<Record<string, string>>;
  layout: ListLayout;
  onLayoutChange: (layout: ListLayout) => void;
}

/** The views of a list. Each is a link; the present state can be saved as a new one. */
export function ViewsMenu({ list, query, layout, onLayoutChange }: ViewsMenuProps) {
  const [dialog, setDialog] = useState<"save" | "manage" | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button variant="ghost" size="md" className="px-2">
            <Bookmark aria-hidden /> <span className="max-sm:sr-only">Views</span>
          </Button>
        }
      >
        <Views list={list} query={query} onApply={({ columns }) => onLayoutChange({ ...layout, columns })} />
        <MenuItem onSelect={() => setDialog("save")}>Save this view…</MenuItem>
        <MenuItem onSelect={() => setDialog("manage")}>Manage views…</MenuItem>
      </Menu>
      {dialog === "save" && <SaveView list={list} query={query} columns={layout.columns} onClose={close} />}
      {dialog === "manage" && <ManageViews list={list} onClose={close} />}
    </>
  );
}

interface ViewsProps {
  list: ViewedList;
  query: ViewsMenuProps["query"];
  onApply: (view: SavedViewRow) => void;
}

/** The content, which loads when the menu opens. */
function Views({ list, query, onApply }: ViewsProps) {
  const views = useViews(list);
  const now = viewHref({ resource: list, query });
  const items = (mine: boolean) =>
    (views.data?.items ?? [])
      .filter((view) => view.mine === mine)
      .map((view) => (
        <MenuLink key={view.name} href={viewHref(view)} onSelect={() => onApply(view)}>
          {view.shared ? <Users aria-hidden /> : <Bookmark aria-hidden />}
          <span className="flex-1">{view.name}</span>
          {viewHref(view) === now && <Check aria-label="current view" />}
        </MenuLink>
      ));
  const [mine, others] = [items(true), items(false)];
  const note = views.isError
    ? "The views could not be loaded."
    : views.isPending
      ? "Loading…"
      : "No views of this list yet.";
  return (
    <>
      {mine.length > 0 && <MenuGroup label="My views">{mine}</MenuGroup>}
      {others.length > 0 && <MenuGroup label="Shared by others">{others}</MenuGroup>}
      {mine.length + others.length === 0 && <p className="px-2 py-1 text-sm text-faint">{note}</p>}
      <MenuSeparator />
    </>
  );
}
