import { useState } from "react";
import { Measurement } from "@/components/impact/impact";
import { adminPath } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import { WhenLoaded } from "@/components/resource/when-loaded";
import type { RequestDetail, RequestImpact } from "@/lib/contracts/changes/request";

/** What an open change request would do to callers and recent calls, measured when the page opens. */
export function RequestImpactSection({ request: { id, status } }: { request: RequestDetail }) {
  const isOpen = status === "open";
  // Only on demand: the audit trail records every read of logged arguments.
  const [isChecking, setChecking] = useState(false);
  const path = `${adminPath("requests", id, "impact")}?arguments=${isChecking}` as const;
  // Measured against the present configuration, so an old answer is never shown.
  const measured = useGet<RequestImpact>(["requests", "impact", id, isChecking], path, {
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
              <Measurement impact={impact} isChecked={isChecking} onArguments={() => setChecking(true)} />
            </div>
          )
        }
      </WhenLoaded>
    </section>
  );
}
