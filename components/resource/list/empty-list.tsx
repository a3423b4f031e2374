import type { ReactNode } from "react";
import { GuideLink } from "@/components/shell/guide-link";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

interface EmptyListProps {
  many: string;
  /** What is here, while nothing is. */
  purpose: string;
  /** The first way to get a row. */
  begin: ReactNode;
  /** It is narrowed down: by this it shows all again. Absent: there is nothing at all. */
  onClear: (() => void) | undefined;
}

/** Where the rows of a list would be: nothing yet, with the way to the first and to the guide, or nothing that matches. */
export function EmptyList({ many, purpose, begin, onClear }: EmptyListProps) {
  if (onClear === undefined)
    return (
      <EmptyState title={`No ${many} yet`} action={begin}>
        {purpose} <GuideLink />
      </EmptyState>
    );
  return (
    <EmptyState title={`No ${many} match`} action={<Button onClick={onClear}>Clear filters</Button>}>
      Nothing fits what you typed and chose above.
    </EmptyState>
  );
}
