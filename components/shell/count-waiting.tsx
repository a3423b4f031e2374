/** The number of waiting rows at the end of a navigation entry; hidden at zero. */
export function CountWaiting({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="ml-auto rounded bg-accent-soft px-1.5 text-xs font-medium text-accent tabular-nums">
      {count > 99 ? "99+" : count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
