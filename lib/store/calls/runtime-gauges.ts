import { sourceKindsWhere } from "@/lib/resources/source-kinds";
import { db } from "@/lib/store/db/database";

/** The state of breakers and queues in the store, the same for every instance. */
interface RuntimeGauges {
  /** Each source with outbound calls, and the worst state of its breaker in any running process. */
  readonly breakers: readonly { readonly source: string; readonly state: "closed" | "half_open" | "open" }[];
  readonly queues: readonly {
    readonly queue: "calls" | "deliveries";
    readonly waiting: number;
    /** Seconds since the oldest waiting job could have begun; 0 without one. */
    readonly oldestSeconds: number;
  }[];
}

/** The kinds of source that a circuit breaker protects. */
const GUARDED = sourceKindsWhere(({ upstream }) => upstream);

const STATES = ["closed", "half_open", "open"] as const;

/** Reads the state in one statement. @throws errors of the store */
export async function readRuntimeGauges(): Promise<RuntimeGauges> {
  const rows = await db().$queryRaw<{ what: string; name: string; value: number; age: number }[]>`
    SELECT 'breaker' AS what, source.name,
      COALESCE(max(CASE breaker.state WHEN 'open' THEN 2 WHEN 'half_open' THEN 1 END), 0)::float8 AS value, 0::float8 AS age
    FROM source LEFT JOIN (source_breaker breaker JOIN instance ON instance.id = breaker.instance)
      ON breaker.source = source.name
    WHERE source.kind = ANY(${GUARDED}::text[]) GROUP BY source.name
    UNION ALL
    SELECT 'queue', 'calls', count(*)::float8, COALESCE(EXTRACT(EPOCH FROM now() - min(at)), 0)::float8
    FROM kept_call WHERE status = 'queued'
    UNION ALL
    SELECT 'queue', 'deliveries', count(*)::float8, COALESCE(EXTRACT(EPOCH FROM now() - min("dueAt")), 0)::float8
    FROM delivery WHERE status = 'pending' AND "dueAt" <= now()`;
  return {
    breakers: rows
      .filter(({ what }) => what === "breaker")
      .map(({ name, value }) => ({ source: name, state: STATES[value] ?? "open" })),
    queues: rows
      .filter(({ what }) => what === "queue")
      .map(({ name, value, age }) => ({
        queue: name === "calls" ? "calls" : "deliveries",
        waiting: value,
        oldestSeconds: Math.max(0, age),
      })),
  };
}
