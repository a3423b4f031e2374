import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";

const Connect = lazyPart(
  async () => (await import("@/components/agents/connect")).Connect,
  <Skeleton className="h-40" />,
);

/** Code that connects an agent with a new key, which is filled in. */
export function ConnectWith({ agent, secret }: { agent: string; secret: string }) {
  return <Connect agent={agent} given={{ kind: "key", key: secret }} />;
}
