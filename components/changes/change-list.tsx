import { useGet } from "@/components/resource/use-get";
import { ACTION_WORDS, sentencesFor } from "@/components/changes/change-words";
import { List } from "@/components/resource/list/list";
import { textColumn, timeColumn, wideColumn } from "@/components/resource/columns";
import type { Fold } from "@/components/resource/list/list-props";
import type { Column, Filter } from "@/components/resource/view";
import { useWho } from "@/components/resource/who";
import { Badge } from "@/components/ui/badge";
import { lazyPart } from "@/components/ui/lazy-part";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";
import { append } from "@/lib/access/model/lists";
import type { ChangeRow } from "@/lib/contracts/changes/change";
import { hiddenFrom } from "@/lib/resources/hidden-from";
import { KINDS, OTHER_KINDS } from "@/lib/resources/kinds";
import { CHANGE_ACTIONS } from "@/lib/resources/parts/words";
import type { Page } from "@/lib/contracts/changes/list";
import { changedName, kindInWords } from "@/lib/contracts/changes/row-words";

const Peek = lazyPart(async () => (await import("@/components/changes/change-view")).ChangePeek);

const COLUMNS: readonly Column<ChangeRow>[] = [
  {
    id: "object",
    header: "Object",
    fields: ["resource", "rowId"],
    className: "max-w-80 2xl:max-w-xl",
    cell: (row) => (
      <>
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="shrink-0 font-normal text-muted">{kindInWords(row.resource)}</span>
          {row.rowId !== row.resource && <span className="truncate">{changedName(row)}</span>}
        </span>
        {/* A phone does not show the columns Who and When. */}
        <span className="block truncate text-xs font-normal text-muted sm:hidden">
          {row.actor.name}, <Time at={row.at} />
        </span>
      </>
    ),
  },
  {
    id: "action",
    header: "What",
    cell: (row) => <Badge tone={ACTION_WORDS[row.action].tone}>{ACTION_WORDS[row.action].text}</Badge>,
  },
  wideColumn(
    "change",
    "Before → after",
    (row) => (
      <VisibleText
        text={sentencesFor(row)
          .map((sentence) => `${sentence.sign} ${sentence.text}`)
          .join(" · ")}
      />
    ),
    { fields: ["before", "after"] },
  ),
  textColumn("actor", "Who", (row) => row.actor.name),
  {
    id: "revision",
    header: "Revision",
    className: "text-right",
    cell: (row) => <span className="text-muted tabular-nums">{row.revision}</span>,
  },
  timeColumn("at", "When", { sorts: true }),
];

const CHIPS = [
  { key: "id", label: "Object" },
  { key: "revision", label: "Revision" },
] as const;

/** Most changes of one revision that stay apart. */
const MAX_APART = 10;

/** Folds the changes of a large revision, such as an import, so that they hide no other change. */
function foldsOf(rows: readonly ChangeRow[]): ReadonlyMap<ChangeRow, Fold> {
  const folds = new Map<ChangeRow, Fold>();
  const revisions = new Map<number, ChangeRow[]>();
  for (const row of rows) append(revisions, row.revision, row);
  for (const [revision, changes] of revisions)
    if (changes.length > MAX_APART)
      for (const row of changes)
        folds.set(row, { id: `${revision}`, label: `Revision ${revision} by ${row.actor.name}` });
  return folds;
}

/** All changes: who changed which row, with the values before and after. */
export function ChangeList() {
  const hidden: readonly string[] = hiddenFrom(useWho().role);
  const kinds = [...Object.keys(KINDS), ...Object.keys(OTHER_KINDS)].filter((kind) => !hidden.includes(kind));
  const filters: readonly Filter[] = [
    { key: "actor", label: "Who", options: useActors().map((name) => ({ value: name, label: name })) },
    { key: "resource", label: "Kind", options: kinds.map((value) => ({ value, label: kindInWords(value) })) },
    {
      key: "action",
      label: "What",
      options: CHANGE_ACTIONS.map((value) => ({ value, label: ACTION_WORDS[value].text })),
    },
  ];
  return (
    <List<ChangeRow>
      list="changes"
      words={["change", "changes"]}
      columns={COLUMNS}
      idOf={(row) => row.id}
      filters={filters}
      chips={CHIPS}
      live
      sort="-at"
      folds={foldsOf}
      exports
      renderPeek={(id, onClose) => <Peek id={id} onClose={onClose} />}
    />
  );
}

/** The actors of the last 200 changes, for the filter. */
function useActors(): readonly string[] {
  const latest = useGet<Page<ChangeRow>, readonly string[]>(["changes", "actors"], "/api/admin/changes?limit=200", {
    staleTime: 60_000,
    select: ({ items }) => [...new Set(items.map(({ actor }) => actor.name))].toSorted(),
  });
  return latest.data ?? [];
}
