import { Button } from "@/components/ui/button";

/** What a list that comes page by page knows of its next one. */
interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** Below a list: how much of it is there, and the rest on demand; nothing once all is there. */
export function LoadMore({ pages, shown, total }: { pages: Pages; shown: number; total: number | null | undefined }) {
  if (!pages.hasNextPage) return null;
  return (
    <div className="flex items-center justify-center gap-3 border-t border-line py-2 text-xs text-faint tabular-nums">
      {shown.toLocaleString("en")} of {total?.toLocaleString("en")}
      <Button size="sm" pending={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        Load more
      </Button>
    </div>
  );
}
