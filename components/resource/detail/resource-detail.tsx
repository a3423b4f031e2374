import { Ellipsis } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { Suspense, useState, type ReactNode } from "react";
import { changesHref } from "@/components/changes/changes-href";
import { OpenChange } from "@/components/requests/open-change";
import { CopyItems } from "@/components/resource/copy-menu";
import { useStagedEdit } from "@/components/configuration/change-set";
import { storedDraft } from "@/components/resource/editor/stored-draft";
import { useNoticesLoaded } from "@/components/resource/detail/notices";
import { ProblemNote } from "@/components/resource/problem-note";
import { ResourceDelete } from "@/components/resource/remove/resource-delete";
import { ResourceEditor } from "@/components/resource/editor/resource-editor";
import { adminPath } from "@/components/resource/request";
import { useRow } from "@/components/resource/use-row";
import { idOf, type ResourceFacts, type ScreenProps, type View } from "@/components/resource/view";
import { IconButton } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { Menu, MenuItem, MenuLink, MenuSeparator } from "@/components/ui/overlays/menu";
import { Skeleton } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { Time } from "@/components/ui/time";
import type { ResourceName, Row } from "@/lib/resources";

/** The page of one row: its name, its actions, its form, and the other tabs of its view. */
export function ResourceDetail<R extends ResourceName>({ facts, view, id }: ScreenProps<R>) {
  const row = useRow(facts.resource, id);
  if (row.isPending) return <DetailSkeleton />;
  if (row.isLoadingError)
    return (
      <ProblemNote
        page
        error={row.error}
        onRetry={() => void row.refetch()}
        changes={changesHref(facts.resource, id)}
      />
    );
  return <Loaded facts={facts} view={view} row={row.data} isFetching={row.isFetching} />;
}

function Loaded<R extends ResourceName>({ facts, view, row, isFetching }: RowProps<R> & { isFetching: boolean }) {
  const id = idOf(facts, row);
  const [draft] = useQueryState("draft", parseAsString);
  const [undoes] = useQueryState("undo", parseAsString);
  // A reader sees the stored values, also of a row whose edit waits from an earlier role.
  const [staged] = useState(useStagedEdit(facts.resource, facts.canWrite ? id : null));
  const begun = storedDraft(facts.resource, draft) ?? staged?.after ?? null;
  const start = begun === null ? null : { ...view.toInput(row), ...begun };
  const tabs = useTabs(view, begun !== null);
  const hasTabs = tabs.labels.length > 1;
  // A draft of another page, such as an undone change, starts from the stored row, not from one that was read before.
  const [isCurrent, setIsCurrent] = useState(begun === null || !isFetching);
  if (!isCurrent && !isFetching) setIsCurrent(true);
  const isReady = useNoticesLoaded() && isCurrent;
  // Tabs have their own line.
  const underlined = !hasTabs && view.fillsPage !== true;
  // The key mounts the editor anew for another row, because a draft starts from the row at the mount.
  const editor = (
    <ResourceEditor
      key={id}
      facts={facts}
      view={view}
      row={row}
      start={start}
      staged={draft === null ? staged : null}
      undoes={undoes}
      tab={hasTabs ? tabs.form : undefined}
    />
  );
  return (
    <div className="flex min-h-full flex-col">
      <div className={cn(underlined && "border-b border-line pb-3")}>
        <Heading facts={facts} view={view} row={row} />
        {view.Notice !== undefined && <view.Notice row={row} />}
        <OpenChange key={id} resource={facts.resource} id={id} className="mx-5 mt-3 max-w-4xl" />
      </div>
      {!isReady ? (
        <FormSkeleton />
      ) : hasTabs ? (
        <DetailTabs id={id} view={view} row={row} tabs={tabs}>
          {editor}
        </DetailTabs>
      ) : (
        editor
      )}
    </div>
  );
}

interface DetailTabsProps<R extends ResourceName> {
  id: string;
  view: View<R>;
  row: Row<R>;
  tabs: ReturnType<typeof useTabs>;
  /** The form, which keeps its draft while another tab is open. */
  children: ReactNode;
}

function DetailTabs<R extends ResourceName>({ id, view, row, tabs, children }: DetailTabsProps<R>) {
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  if (!visited.has(tabs.tab)) setVisited(new Set([...visited, tabs.tab]));
  return (
    <Tabs
      aria-label={`Parts of ${id}`}
      value={tabs.tab}
      onChange={(next) => void tabs.setTab(next)}
      tabs={tabs.labels}
      className="mt-2 flex-1 [&>[role=tablist]]:px-5"
    >
      {view.Home !== undefined && (
        <TabPanel value="overview" className="px-5 py-4">
          <Suspense fallback={<Skeleton className="h-64" />}>
            <view.Home row={row} />
          </Suspense>
        </TabPanel>
      )}
      <div hidden={!tabs.inForm} className="flex flex-1 flex-col [&[hidden]]:hidden">
        {children}
      </div>
      {view.Detail?.map(({ value, Panel, keeps = false }) => (
        <TabPanel key={value} value={value} keep={keeps && visited.has(value)} className="px-5 py-4">
          <Suspense fallback={<Skeleton className="h-40" />}>
            <Panel row={row} />
          </Suspense>
        </TabPanel>
      ))}
    </Tabs>
  );
}

/** The tabs of a row's page, the open one, and that of the form's first fields. One tab alone is not shown. */
function useTabs<R extends ResourceName>({ Home, parts = [], Detail = [] }: View<R>, hasDraft: boolean) {
  const form = Home === undefined ? "overview" : "settings";
  // A draft from another page opens in the form. The default follows, because the address states no default tab.
  const start = hasDraft ? form : "overview";
  const [stated, setTab] = useQueryState("tab", parseAsString.withDefault(start).withOptions({ history: "push" }));
  const labels = [
    { value: "overview", label: "Overview" },
    ...(Home === undefined ? [] : [{ value: form, label: "Settings" }]),
    ...[...parts, ...Detail].map(({ value, label }) => ({ value, label })),
  ];
  const tab = labels.some(({ value }) => value === stated) ? stated : start;
  return { labels, form, tab, setTab, inForm: tab === form || parts.some(({ value }) => value === tab) };
}

type RowProps<R extends ResourceName> = Pick<ScreenProps<R>, "facts" | "view"> & { row: Row<R> };

/** The row's name, the time of its last change, and its actions. */
function Heading<R extends ResourceName>({ facts, view, row }: RowProps<R>) {
  const id = idOf(facts, row);
  return (
    <div className="flex items-center gap-2 px-5 pt-4 max-sm:flex-wrap">
      <h1 className="min-w-0 text-lg font-semibold tracking-tight max-sm:break-words sm:truncate">{id}</h1>
      <CopyButton text={id} label="Copy id" />
      {view.Badges !== undefined && <view.Badges row={row} />}
      <span className="flex items-center gap-2 sm:contents">
        <span className="text-xs text-faint sm:ml-auto">
          Changed <Time at={row.updatedAt} />
        </span>
        <span className="sm:order-last">
          <RowMenu facts={facts} row={row} />
        </span>
      </span>
      {facts.canWrite && view.RowActions !== undefined && (
        <span className="flex items-center gap-2">
          <view.RowActions row={row} />
        </span>
      )}
    </div>
  );
}

function RowMenu<R extends ResourceName>({ facts, row }: { facts: ResourceFacts<R>; row: Row<R> }) {
  const [deleting, setDeleting] = useState(false);
  const id = idOf(facts, row);
  const path = adminPath(facts.resource, id);
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label="More actions" />}>
        <CopyItems path={path} value={row} />
        <MenuLink href={changesHref(facts.resource, id)}>Show changes</MenuLink>
        {facts.canWrite && (
          <>
            <MenuSeparator />
            <MenuItem danger onSelect={() => setDeleting(true)}>
              Delete {facts.words[0]}…
            </MenuItem>
          </>
        )}
      </Menu>
      <ResourceDelete facts={facts} row={row} open={deleting} onOpenChange={setDeleting} />
    </>
  );
}

function DetailSkeleton() {
  return (
    <>
      <Skeleton className="mx-5 mt-5 h-6 w-56" />
      <FormSkeleton />
    </>
  );
}

function FormSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4 px-5 py-4">
      <Skeleton className="h-8 w-96" />
      <Skeleton className="h-8 w-96" />
      <Skeleton className="h-24 w-full max-w-3xl" />
    </div>
  );
}
