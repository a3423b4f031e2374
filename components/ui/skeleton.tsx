import { cn } from "@/components/ui/cn";

/** A grey place where something will be, with its final size. It shows after 150 ms: what is fast never flickers. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span aria-hidden className={cn("block h-4 animate-skeleton rounded bg-hover", className)} />;
}
