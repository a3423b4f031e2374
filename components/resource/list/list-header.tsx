import { upperFirst } from "@/components/ui/text/letter-case";
import { Funnel, RefreshCw } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { FilterBox } from "@/components/resource/filters/filter-box";
import { extractFilters, filterAsText } from "@/components/resource/filters/filter-text";
import { ListFilters } from "@/components/resource/filters/list-filters";
import { ExportButton } from "@/components/resource/list/export-button";
import { ListLayoutMenu } from "@/components/resource/list/list-layout-menu";
import { totalText } from "@/components/resource/list/total-text";
import type { ListPartProps } from "@/components/resource/list/use-list-state";
import { ViewsMenu } from "@/components/resource/list/views-menu";
import { TailSwitch } from "@/components/resource/tail";
import type { Filter } from "@/components/resource/view";
import { Button, IconButton } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { ScrollFrame } from "@/components/ui/scroll-frame";

/** Above the rows: the filters and their views, the number of matches, and the actions on the whole list. */
export function ListHeader<T extends object>({ of, state }: ListPartProps<T>) {
  const { list, words, live = false, sort } = of;
  const { seen, chosen, layout, setLayout, pages } = state;
  const [one, many] = words;
  const hasNoRows = !state.narrowed && !pages.isPending && pages.error === null && pages.rows.length === 0;
  return (
    // On a phone two rows: the filter box, the filters' button and the main action; then the rest, which scrolls sideways.
    <div className="flex flex-wrap items-start gap-2 px-5 py-3">
      <div className="flex min-w-0 flex-1 basis-96 flex-wrap items-center gap-2 max-sm:contents">
        <h1 className="sr-only">{titleOf(of)}</h1>
        <ListFilterBox of={of} state={state} />
        {(live || of.filters.length > 0 || state.chips.length > 0) && (
          <FoldedFilters count={countOf(chosen, of.filters)}>
            <ListFilters filters={of.filters} chips={state.chips} live={live} chosen={chosen} onChange={state.narrow} />
          </FoldedFilters>
        )}
      </div>
      <ScrollFrame className="flex min-h-8 max-w-full items-center gap-2 max-sm:order-2 max-sm:w-full sm:ml-auto sm:flex-wrap sm:overflow-visible">
        <span
          aria-live="polite"
          className={cn(
            "mr-auto text-xs whitespace-nowrap text-faint tabular-nums",
            of.actions === undefined ? "max-sm:order-first" : "max-sm:order-last",
          )}
        >
          {pages.first !== undefined && `${totalText(pages.first)} ${pages.first.total === 1 ? one : many}`}
        </span>
        <ViewsMenu
          list={list}
          query={{
            ...(seen.q !== "" && { q: seen.q }),
            ...chosen,
            ...(seen.sort !== (sort ?? "") && { sort: seen.sort }),
          }}
          layout={layout}
          onLayoutChange={setLayout}
        />
        {state.tail.offered && <TailSwitch tail={state.tail} />}
        <ListLayoutMenu columns={of.columns} layout={layout} onChange={setLayout} />
        {live && <IconButton icon={RefreshCw} label="Refresh" onClick={state.refresh} />}
        {state.exporting !== undefined && <ExportButton {...state.exporting} />}
        {/* On a phone the actions come first, because the row scrolls. */}
        {of.actions !== undefined && (
          <div className="contents max-sm:-order-1 max-sm:flex max-sm:gap-2">{of.actions}</div>
        )}
      </ScrollFrame>
      {!hasNoRows && of.begin}
    </div>
  );
}

/** The filters, which a phone folds behind a button that says how many are set. */
function FoldedFilters({ count, children }: { count: number; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        aria-label={count === 0 ? "Filters" : `Filters, ${count} set`}
        aria-expanded={isOpen}
        aria-controls={id}
        className={cn("min-w-10 px-2 sm:hidden", count > 0 && "border-transparent bg-accent-soft text-accent")}
        onClick={() => setOpen(!isOpen)}
      >
        <Funnel aria-hidden /> {count > 0 && count}
      </Button>
      <div id={id} className={cn("contents max-sm:order-3 max-sm:w-full", isOpen ? FOLD : "max-sm:hidden")}>
        {children}
      </div>
    </>
  );
}

const FOLD = "max-sm:flex max-sm:flex-wrap max-sm:gap-2";

/** The text filter. `key:value` in it becomes a chip. Backspace in the empty filter makes the last chip text again. */
function ListFilterBox<T extends object>({ of, state: { keys, seen, setSeen, chosen } }: ListPartProps<T>) {
  const type = (text: string, done: boolean) => {
    const { q, filters: typed } = extractFilters(text, keys, done);
    const history = Object.keys(typed).length > 0 ? "push" : "replace";
    void setSeen({ q: q === "" ? null : q, ...typed }, { history });
  };
  const takeBack = () => {
    const last = Object.entries(chosen).at(-1);
    if (last !== undefined) void setSeen({ q: filterAsText(...last), [last[0]]: null });
  };
  return (
    <FilterBox
      label={`Filter ${of.words[1]}`}
      placeholder={of.searches}
      value={seen.q}
      onChange={(text) => type(text ?? "", false)}
      onDone={() => type(seen.q, true)}
      onTakeBack={takeBack}
      className={cn(
        "grow max-sm:max-w-none max-sm:min-w-0 max-sm:flex-1",
        of.searches === undefined ? "max-w-64 basis-44" : "max-w-80 basis-52",
      )}
    />
  );
}

/** The name of a list, for its heading and its table. */
export function titleOf({ title, words: [, many] }: { title?: string; words: readonly [string, string] }): string {
  return title ?? upperFirst(many);
}

/** The filters that a person set, without those that the tabs above the list set. */
function countOf(chosen: Readonly<Record<string, string>>, filters: readonly Filter[]): number {
  const byTabs = new Set(filters.filter((filter) => filter.byTabs === true).map(({ key }) => key));
  return Object.keys(chosen).filter((key) => !byTabs.has(key)).length;
}
