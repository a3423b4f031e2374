import { cn } from "@/components/ui/cn";

/** The time at which the last visible placeholder disappeared, by `performance.now()`. */
let lastVisibleAt = -Infinity;

/** Milliseconds before a placeholder appears: the delay of `--animate-skeleton`. */
const DELAY_MS = 150;

/**
 * Shows a placeholder at once if it replaces a visible one. Otherwise a screen that loads in parts would be blank between
 * them.
 *
 * @returns the cleanup, which runs while the element is still in the page
 */
function skipDelayAfterLast(element: HTMLElement): () => void {
  if (performance.now() - lastVisibleAt < DELAY_MS) element.dataset["continues"] = "";
  return () => {
    if (getComputedStyle(element).opacity !== "0") lastVisibleAt = performance.now();
  };
}

/** A grey placeholder with the final size. Appears after 150 ms, so that fast content never flickers. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return (
    <span
      ref={skipDelayAfterLast}
      aria-hidden
      className={cn("block h-4 animate-skeleton rounded bg-hover data-continues:animate-skeleton-continued", className)}
    />
  );
}
