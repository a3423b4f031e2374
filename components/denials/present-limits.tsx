import { useRow } from "@/components/resource/use-row";
import { limitsInWords, toolLimitsInWords } from "@/components/views/tools/limit-words";

/** The limits of a tool as they are set now. */
export function ToolLimits({ tool }: { tool: string }) {
  const { data } = useRow("tools", tool);
  return <LimitsNow words={data && toolLimitsInWords(data.limits)} />;
}

/** The limits of an agent as they are set now. */
export function AgentLimits({ agent }: { agent: string }) {
  const { data } = useRow("agents", agent);
  return <LimitsNow words={data && limitsInWords(data.limits)} />;
}

/** Shows the limits of today: the log has the kind of the limit, not its value. */
function LimitsNow({ words }: { words: readonly string[] | undefined }) {
  if (words === undefined) return null;
  return <p className="text-muted">Now set: {words.join(", ") || "no limit"}.</p>;
}
