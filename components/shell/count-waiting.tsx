/** The number of waiting rows at the end of a navigation entry; hidden at zero. `what` is read by screen readers only. */
export function CountWaiting({ count, what = "waiting" }: { count: number; what?: string }) {
  if (count === 0) return null;
  return (
    <span className="ml-auto rounded bg-accent-soft px-1.5 text-xs font-medium text-accent tabular-nums">
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {what}</span>
    </span>
  );
}
