import { useGet } from "@/components/resource/use-get";
import type { Column } from "@/components/resource/view";
import { TextLink } from "@/components/ui/text-link";
import type { AgentSizes } from "@/lib/contracts/decisions/agent-sizes";
import type { Row } from "@/lib/resources";

/** The column with the number of tools that an agent sees. All rows of a list share one request. */
export const TOOLS_COLUMN: Column<Row<"agents">> = {
  id: "tools",
  header: "Tools",
  hint: "The tools that the agent sees now. With a state machine: the fewest and the most in any of its states. A disabled agent sees them when it is enabled again.",
  fields: [],
  className: "text-right whitespace-nowrap",
  cell: (row) => <AgentSize row={row} />,
};

function AgentSize({ row: { name, enabled } }: { row: Row<"agents"> }) {
  const { data } = useGet(["agents", "sizes"], "/api/admin/agent-sizes", { select: byName });
  const size = data?.get(name);
  // As wide as most numbers: the columns do not move when they arrive.
  if (size === undefined) return <span className="inline-block min-w-10" />;
  const numbers = [...new Set([size.fewest, size.most])].map((count) => count.toLocaleString("en"));
  const byState = numbers.length > 1 ? " by state" : "";
  return (
    <TextLink
      href={`/admin/preview?${new URLSearchParams({ agent: name })}`}
      aria-label={`${numbers.join(" to ")} ${size.most === 1 ? "tool" : "tools"}${byState}: preview as ${name}`}
      className={`relative z-1 inline-block min-w-10 tabular-nums ${enabled ? "" : "opacity-60"}`}
    >
      {numbers.join("–")}
      {byState}
    </TextLink>
  );
}

function byName({ items }: AgentSizes): ReadonlyMap<string, AgentSizes["items"][number]> {
  return new Map(items.map((item) => [item.name, item]));
}
