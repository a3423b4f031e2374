import { Measurement } from "@/components/impact/impact";
import { adminPath } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import { WhenLoaded } from "@/components/resource/when-loaded";
import type { RequestDetail, RequestImpact } from "@/lib/contracts/changes/request";

/** What an open change request would do to callers and recent calls, measured when the page opens. */
export function RequestImpactSection({ request: { id, status } }: { request: RequestDetail }) {
  const isOpen = status === "open";
  // Measured against the present configuration, so an old answer is never shown.
  const measured = useGet<RequestImpact>(["requests", "impact", id], adminPath("requests", id, "impact"), {
    enabled: isOpen,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (!isOpen) return null;
  return (
    <section aria-label="Impact" aria-busy={measured.isFetching} className="flex flex-col gap-2">
      <h2 className="text-sm font-medium">Impact</h2>
      <WhenLoaded of={measured} skeleton="h-32">
        {({ impact }) =>
          impact === null ? (
            <p className="text-sm text-muted">These changes do not affect tools or calls.</p>
          ) : (
            <div className="@container rounded-lg border border-line bg-panel">
              <Measurement impact={impact} />
            </div>
          )
        }
      </WhenLoaded>
    </section>
  );
}
