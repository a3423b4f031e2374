"use client";

import { RefreshCw } from "lucide-react";
import { FilterBox } from "@/components/resource/filters/filter-box";
import { extractFilters, filterAsText } from "@/components/resource/filters/filter-text";
import { ListFilters } from "@/components/resource/filters/list-filters";
import { ExportButton } from "@/components/resource/list/export-button";
import { ListLayoutMenu } from "@/components/resource/list/list-layout-menu";
import { totalText } from "@/components/resource/list/total-text";
import type { ListPartProps } from "@/components/resource/list/use-list-state";
import { ViewsMenu } from "@/components/resource/list/views-menu";
import { TailSwitch } from "@/components/resource/tail";
import { Button } from "@/components/ui/button";

/** Above the rows: the filters and their views, the number of matches, and the actions on the whole list. */
export function ListHeader<T extends object>({ of, state }: ListPartProps<T>) {
  const { list, words, live = false, sort } = of;
  const { seen, chosen, layout, setLayout, pages } = state;
  const [one, many] = words;
  const hasNoRows = !state.narrowed && !pages.isPending && pages.error === null && pages.rows.length === 0;
  return (
    <div className="flex items-start gap-2 px-5 py-3 max-sm:flex-col max-sm:items-stretch">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
        <h1 className="sr-only">{titleOf(of)}</h1>
        <ListFilterBox of={of} state={state} />
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
        <ListFilters filters={of.filters} chips={state.chips} live={live} chosen={chosen} onChange={state.narrow} />
        <span aria-live="polite" className="text-xs text-faint tabular-nums">
          {pages.first !== undefined && `${totalText(pages.first)} ${pages.first.total === 1 ? one : many}`}
        </span>
      </div>
      <div className="flex min-h-8 items-center gap-2 max-sm:flex-wrap">
        {state.tail.offered && <TailSwitch tail={state.tail} />}
        <ListLayoutMenu columns={of.columns} layout={layout} onChange={setLayout} />
        {live && (
          <Button variant="ghost" aria-label="Refresh" size="icon" onClick={state.refresh}>
            <RefreshCw aria-hidden />
          </Button>
        )}
        {state.exporting !== undefined && <ExportButton {...state.exporting} />}
        {of.actions}
        {!hasNoRows && of.begin}
      </div>
    </div>
  );
}

/** The text filter. `key:value` in it becomes a chip, and Backspace at its start makes the last chip text again. */
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
      className={of.searches === undefined ? "max-w-64 grow basis-44" : "max-w-80 grow basis-52"}
    />
  );
}

/** The name of a list, for its heading and its table. */
export function titleOf({ title, words: [, many] }: { title?: string; words: readonly [string, string] }): string {
  return title ?? `${many.slice(0, 1).toUpperCase()}${many.slice(1)}`;
}
