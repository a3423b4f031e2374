import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ProblemNote } from "@/components/resource/problem-note";
import { Skeleton } from "@/components/ui/skeleton";

interface WhenLoadedProps<T> {
  of: UseQueryResult<T>;
  /** The size of the placeholder. */
  skeleton: string;
  /** Whether the page shows nothing else. */
  page?: boolean;
  /** The address of the changes of a deleted row. */
  changes?: string;
  children: (data: T) => ReactNode;
}

/** Shows the data of a query, a placeholder while it loads, or the reason why the load failed. */
export function WhenLoaded<T>({ of, skeleton, children, ...note }: WhenLoadedProps<T>) {
  if (of.isLoadingError) return <ProblemNote {...note} error={of.error} onRetry={() => void of.refetch()} />;
  if (of.isPending) return <Skeleton className={skeleton} />;
  return children(of.data);
}
