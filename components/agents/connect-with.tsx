import { lazy, Suspense } from "react";
import { Skeleton } from "@/components/ui/skeleton";

const Connect = lazy(async () => ({ default: (await import("@/components/agents/connect")).Connect }));

/** Code that connects an agent with a new key, which is filled in. */
export function ConnectWith({ agent, secret }: { agent: string; secret: string }) {
  return (
    <Suspense fallback={<Skeleton className="h-40" />}>
      <Connect agent={agent} given={{ kind: "key", key: secret }} />
    </Suspense>
  );
}
