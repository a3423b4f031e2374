import { cn } from "@/components/ui/cn";

/** A grey placeholder with the final size. Appears after 150 ms, so that fast content never flickers. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span aria-hidden className={cn("block h-4 animate-skeleton rounded bg-hover", className)} />;
}
