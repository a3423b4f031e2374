import type { ReactNode } from "react";
import { GuideLink, PurposeText } from "@/components/shell/guide-link";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

interface EmptyListProps {
  many: string;
  /** Instead of the purpose of the page. */
  whenEmpty: string | undefined;
  /** What the search compared. */
  note: string | undefined;
  /** The first way to get a row. */
  begin: ReactNode;
  /** Clears the filters. Absent: the list has no filters, so there are no rows at all. */
  onClear: (() => void) | undefined;
}

/** Shown instead of rows: the list is empty, with links to a first row and to the guide, or nothing matches. */
export function EmptyList({ many, whenEmpty, note, begin, onClear }: EmptyListProps) {
  if (onClear === undefined)
    return (
      <EmptyState title={`No ${many} yet`} action={begin}>
        {whenEmpty ?? <PurposeText />} <GuideLink />
      </EmptyState>
    );
  return (
    <EmptyState title={`No ${many} match`} action={<Button onClick={onClear}>Clear filters</Button>}>
      {note} Change the search or the filters.
    </EmptyState>
  );
}
