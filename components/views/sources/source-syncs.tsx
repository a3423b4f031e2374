import { ProblemNote } from "@/components/resource/problem-note";
import { Section } from "@/components/resource/section";
import { useGet } from "@/components/resource/use-get";
import { Badge, type Tone } from "@/components/ui/badge";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { SourceHealthList, SourceHealthRow } from "@/lib/contracts/sources/source-health";

const TONES: Readonly<Record<SourceHealthRow["health"], Tone>> = {
  unknown: "neutral",
  healthy: "allow",
  degraded: "warn",
  unhealthy: "deny",
};

/** The state of the syncs of all sources. All rows of a list share one request. */
export function useSourceHealth() {
  return useGet(["source-health"], "/api/admin/source-health", {
    select: ({ items, breakers }: SourceHealthList) => ({
      syncs: new Map(items.map((item) => [item.source, item])),
      breakers: new Map(breakers.map(({ source, state }) => [source, state])),
    }),
    refetchInterval: 30_000,
  });
}

interface SourceHealthBadgeProps {
  source: string;
  /** The calls of the source in the shown time. They show its health if it has no syncs. */
  called?: { readonly calls: number; readonly failed: number };
}

/** The health of a source by its syncs, or else by its calls, and the state of its circuit breaker. */
export function SourceHealthBadge({ source, called }: SourceHealthBadgeProps) {
  const { data } = useSourceHealth();
  const sync = data?.syncs.get(source);
  const breaker = data?.breakers.get(source);
  return (
    <span className="inline-flex gap-1">
      <HealthBadge health={sync?.health} called={called} />
      {sync !== undefined && sync.deafSince !== null && <Badge tone="warn">not listening</Badge>}
      {breaker !== undefined && (
        <Badge tone={breaker === "open" ? "deny" : "warn"}>{`circuit ${breaker.replace("_", " ")}`}</Badge>
      )}
    </span>
  );
}

function HealthBadge({
  health,
  called,
}: {
  health: SourceHealthRow["health"] | undefined;
  called: SourceHealthBadgeProps["called"];
}) {
  if (health !== undefined && health !== "unknown") return <Badge tone={TONES[health]}>{health}</Badge>;
  if (called !== undefined && called.calls > 0) {
    const byCalls = called.failed === 0 ? "healthy" : called.failed < called.calls ? "degraded" : "unhealthy";
    return <Badge tone={TONES[byCalls]}>{byCalls}</Badge>;
  }
  return health === undefined ? null : <Badge tone={TONES.unknown}>not synced yet</Badge>;
}

/** The last and the next sync of a source. */
export function SourceSyncs({ source }: { source: string }) {
  const health = useSourceHealth();
  if (health.isPending) return <Skeleton className="h-24 w-full" />;
  if (health.isLoadingError) return <ProblemNote error={health.error} onRetry={() => void health.refetch()} />;
  const row = health.data.syncs.get(source);
  if (row === undefined) return null;
  return (
    <Section
      title="Sync"
      description="A source is degraded after one failed sync and unhealthy after three in a row. Differences wait in the drift review."
    >
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <HealthBadge health={row.health} called={undefined} />
        {row.deafSince !== null && <Badge tone="warn">not listening</Badge>}
        {row.syncedAt !== null && (
          <span>
            Synced <Time at={row.syncedAt} />
          </span>
        )}
        {row.busy && <span role="status">Sync is running</span>}
      </p>
      {row.failedAt !== null && (
        <p className="text-sm text-deny">
          Failed {row.failures === 1 ? "once" : `${row.failures} times`} since, last <Time at={row.failedAt} />:{" "}
          {row.error}
        </p>
      )}
      {row.deafSince !== null && (
        <p className="text-sm text-warn">
          The stream of the server&apos;s change notices ended <Time at={row.deafSince} />. Quartermaster keeps trying
          to reconnect. Until then, only syncs find changes.
        </p>
      )}
      <p className="text-sm text-muted">
        {row.nextAt === null ? (
          "Manual sync only"
        ) : (
          <>
            Next sync <Time at={row.nextAt} />
          </>
        )}
      </p>
      <TextLink href={`/admin/drift?source=${encodeURIComponent(source)}`} className="text-sm">
        Drift review of this source
      </TextLink>
    </Section>
  );
}
