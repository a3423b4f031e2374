import { useAgentUse, useRightsizing } from "@/components/rightsizing/use-rightsizing";
import { NOTICE_QUERY } from "@/components/resource/detail/notices";
import { counted } from "@/components/ui/counted";
import { TextLink } from "@/components/ui/text-link";

interface Figures {
  readonly granted: number;
  readonly used: number;
  readonly tokens: number;
}

/** How many of the tools that a policy grants are used; hidden without counted calls. */
export function PolicyUseNote({ policy }: { policy: string }) {
  const { data } = useRightsizing({ policy }, NOTICE_QUERY);
  const row = data?.items[0];
  if (row === undefined) return null;
  return (
    <p className="mx-5 mt-3 text-sm text-muted">
      {sentenceOf(row)} {data?.demo === true && `${DEMO_COUNTS} `}
      <TextLink href={`/admin/rightsizing/${encodeURIComponent(policy)}`}>Show use</TextLink>
    </p>
  );
}

/** How many of its tools an agent uses; hidden without counted calls. */
export function AgentUseNote({ agent }: { agent: string }) {
  const { data } = useAgentUse(agent);
  if (data === undefined || data.granted === 0) return null;
  return (
    <p className="text-sm text-muted">
      {sentenceOf(data)} {data.demo && DEMO_COUNTS}
    </p>
  );
}

/** Marks counts that the demo made up. */
export const DEMO_COUNTS = "These counts include example calls of the demo, which are not in the log.";

function sentenceOf({ granted, used, tokens }: Figures): string {
  const counts = `${counted(granted, "tool")} granted, ${used.toLocaleString("en")} used in 90 days.`;
  return tokens === 0
    ? counts
    : `${counts} The unused ones cost a model about ${tokens.toLocaleString("en")} tokens with each list.`;
}
