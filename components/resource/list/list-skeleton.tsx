import { Skeleton } from "@/components/ui/skeleton";

/** The rows of a list that are on their way. */
export function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex h-9 items-center gap-6 border-b border-line px-5">
          <Skeleton className="w-40" />
          <Skeleton className="w-72" />
          <Skeleton className="ml-auto w-20" />
        </div>
      ))}
    </div>
  );
}
