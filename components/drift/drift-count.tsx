import { useGet } from "@/components/resource/use-get";
import { CountWaiting } from "@/components/shell/count-waiting";

/** Milliseconds between two counts. */
const POLL_MS = 60_000;

/** The number of tools that wait for review, shown in the navigation; hidden at zero. */
export function DriftCount() {
  const { data: count = 0 } = useGet<{ total: number }, number>(
    ["drift", "count"],
    "/api/admin/drift?decision=pending&limit=1",
    {
      select: (page) => page.total,
      refetchInterval: POLL_MS,
    },
  );
  return <CountWaiting count={count} />;
}
