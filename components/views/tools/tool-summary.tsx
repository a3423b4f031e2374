import { rateInWords } from "@/components/resource/editor/changes";
import { Fact, Facts } from "@/components/ui/table";
import type { Input } from "@/lib/resources";
import type { CallLimits } from "@/lib/resources/parts/limits";

type Tool = Input<"tools">;

/** What matters about a tool, before its settings. */
export function ToolSummary({ tool }: { tool: Tool }) {
  const { method, path, source, groups, requiresApproval, hasSideEffects, limits } = tool;
  return (
    <Facts>
      <Fact label="Source">{source}</Fact>
      {path !== null && (
        <Fact label="Request">
          <code className="font-mono text-xs">
            {method} {path}
          </code>
        </Fact>
      )}
      <Fact label="Declared groups">
        {groups === null ? "default" : groups.length === 0 ? "None. Selectors of groups can add it" : groups.join(", ")}
      </Fact>
      <Fact label="Side effects">{hasSideEffects ? "Yes" : "No"}</Fact>
      <Fact label="Approval">{requiresApproval ? "Required" : "Not required"}</Fact>
      <Fact label="Limits">
        {[...limitsInWords(limits), ...limitsInWords(limits.perCaller).map((text) => `${text} for each caller`)].join(
          ", ",
        ) || "None"}
      </Fact>
    </Facts>
  );
}

function limitsInWords({ rate, perDay, concurrency }: CallLimits): string[] {
  return [
    ...(rate === null ? [] : [rateInWords(rate)]),
    ...(perDay === null ? [] : [`${perDay.toLocaleString("en")} calls a day`]),
    ...(concurrency === null ? [] : [`${concurrency.toLocaleString("en")} at once`]),
  ];
}
