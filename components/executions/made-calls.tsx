import { useLatestCalls } from "@/components/executions/use-latest-calls";
import { totalText } from "@/components/resource/list/total-text";
import { Fact } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";

/** The calls that a script made; nothing if it made none. */
export function MadeCalls({ callId }: { callId: string }) {
  const calls = useLatestCalls({ parent: callId }, 1);
  if (calls.data === undefined || calls.data.total === 0) return null;
  return (
    <Fact label="The script made">
      <TextLink href={`/admin/executions?${new URLSearchParams({ parent: callId })}`}>
        {totalText(calls.data)} {calls.data.total === 1 ? "call" : "calls"}
      </TextLink>
    </Fact>
  );
}
