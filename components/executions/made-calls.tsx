"use client";

import { useLatestCalls } from "@/components/executions/use-latest-calls";
import { Fact } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";

/** The calls that a script made while it ran; nothing where there are none. */
export function MadeCalls({ callId }: { callId: string }) {
  const calls = useLatestCalls({ parent: callId }, 1);
  const total = calls.data?.total ?? 0;
  if (total === 0) return null;
  return (
    <Fact label="Its script made">
      <TextLink href={`/admin/executions?${new URLSearchParams({ parent: callId })}`}>
        {total.toLocaleString("en")} {total === 1 ? "call" : "calls"}
      </TextLink>
    </Fact>
  );
}
