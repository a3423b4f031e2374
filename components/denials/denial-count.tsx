import { useAttention } from "@/components/resource/attention";

/** The number of unhandled kinds of refusal in the last 24 hours, shown in the navigation; hidden at zero. */
export function DenialCount() {
  const { denials: count = 0 } = useAttention();
  if (count === 0) return null;
  return (
    <span className="ml-auto rounded bg-accent-soft px-1.5 text-xs font-medium text-accent tabular-nums">
      {count > 99 ? "99+" : count}
      <span className="sr-only"> of the last 24 hours</span>
    </span>
  );
}
