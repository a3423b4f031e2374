import { totalText } from "@/components/resource/list/total-text";
import { Button } from "@/components/ui/button";
import type { Total } from "@/lib/contracts/changes/list";

/** The state of a paged list's next page. */
interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** Shows below a list how many rows are loaded, and loads more; hidden when all are loaded. */
export function LoadMore({ pages, shown, total }: { pages: Pages; shown: number; total: Total | null | undefined }) {
  if (!pages.hasNextPage || total === undefined || total === null) return null;
  return (
    <div className="flex items-center justify-center gap-3 border-t border-line py-2 text-xs text-faint tabular-nums">
      {shown.toLocaleString("en")} of {totalText(total)}
      <Button size="sm" pending={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        Load more
      </Button>
    </div>
  );
}

/** Loads more rows below a small table; hidden when all are loaded. */
export function ShowMore({ pages }: { pages: Pages }) {
  if (!pages.hasNextPage) return null;
  return (
    <Button className="w-fit" pending={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
      Show more
    </Button>
  );
}
