import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ProblemNote } from "@/components/resource/problem-note";
import { request } from "@/components/resource/request";
import { Section } from "@/components/resource/section";
import { useGet } from "@/components/resource/use-get";
import { useCan } from "@/components/resource/who";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/overlays/toast";
import { WithCode } from "@/components/ui/json/with-code";
import { SourceSyncs } from "@/components/views/sources/source-syncs";
import type { Row } from "@/lib/resources";
import type { BreakerState } from "@/lib/contracts/sources/breaker";

const WORDS = {
  closed: { label: "closed", tone: "allow", says: "Calls go to the source." },
  half_open: {
    label: "half open",
    tone: "warn",
    says: "One call tests the source. If it succeeds, other calls continue.",
  },
  open: { label: "open", tone: "deny", says: "Calls fail with `circuit_open`. After 30 s, one call tests the source." },
} as const;

/** The health of a source: its syncs, and its circuit breaker. */
export function SourceHealth({ row }: { row: Row<"sources"> }) {
  return (
    <div className="flex flex-col gap-6">
      <SourceSyncs source={row.name} />
      <Breaker row={row} />
    </div>
  );
}

/** A source's circuit breaker, with its reset. */
function Breaker({ row }: { row: Row<"sources"> }) {
  const mayWrite = useCan("configuration:write");
  const address = `/api/admin/sources/${row.name}/breaker` as const;
  const key = ["sources", "breaker", row.name];
  const queries = useQueryClient();
  const breaker = useGet<BreakerState>(key, address, { refetchInterval: 5_000 });
  const reset = useMutation({
    mutationFn: () => request<BreakerState>(`${address}/reset`, { method: "POST" }),
    onSuccess: (state) => {
      queries.setQueryData(key, state);
      void queries.invalidateQueries({ queryKey: ["source-health"] });
      toast({ title: `The circuit breaker of ${row.name} is reset` });
    },
  });
  if (breaker.isPending) return <Skeleton className="h-24 w-full" />;
  if (breaker.isLoadingError) return <ProblemNote error={breaker.error} onRetry={() => void breaker.refetch()} />;
  const { state, instances } = breaker.data;
  const words = WORDS[state];
  return (
    <Section
      title="Circuit breaker"
      description="Opens for 30 seconds after five failures in a row (unreachable, timeout or status 5xx). Each process counts separately."
    >
      <p className="flex items-center gap-2 text-sm">
        <Badge tone={words.tone}>{words.label}</Badge> <WithCode as="span" text={words.says} />
      </p>
      {instances.map(({ instance, since, reason }) => (
        <p key={instance} className="text-sm text-muted">
          <Time at={since} /> · {reason} · <span className="font-mono text-xs">process {instance.slice(0, 8)}</span>
        </p>
      ))}
      {reset.isError && <ErrorNote text={reset.error.message} />}
      {state !== "closed" && mayWrite && (
        <div>
          <Button pending={reset.isPending} onClick={() => reset.mutate()}>
            Reset breaker
          </Button>
        </div>
      )}
    </Section>
  );
}
