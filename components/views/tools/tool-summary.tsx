import { adminPath } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import { Fact, Facts } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import { MEMBERSHIP_WORDS } from "@/components/views/membership-words";
import { toolLimitsInWords } from "@/components/views/tools/limit-words";
import { DEFAULT_GROUP } from "@/lib/access/model/configuration";
import type { ToolGroups } from "@/lib/contracts/decisions/tool-groups";
import type { Input } from "@/lib/resources";

type Tool = Input<"tools">;

/** What matters about a tool, before its settings. */
export function ToolSummary({ tool }: { tool: Tool }) {
  const { id, method, path, source, requiresApproval, hasSideEffects, limits } = tool;
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
      <Fact label="Groups">
        <Groups of={id} />
      </Fact>
      <Fact label="Side effects">{hasSideEffects ? "Yes" : "No"}</Fact>
      <Fact label="Approval">{requiresApproval ? "Required" : "Not required"}</Fact>
      <Fact label="Limits">{toolLimitsInWords(limits).join(", ") || "None"}</Fact>
    </Facts>
  );
}

/** Every group that contains the stored tool, with the reason. The built-in groups have no page. */
function Groups({ of: id }: { of: string }) {
  const { data, error } = useGet<ToolGroups>(["tools", "groups", id], adminPath("tools", id, "groups"));
  if (error !== null) return <span className="text-deny">{error.message}</span>;
  if (data === undefined) return "…";
  return (
    <ul>
      {data.items.map(({ name, active, how }) =>
        how.includes("ungrouped") ? (
          <li key={name}>None. Only a policy that grants every group reaches the tool</li>
        ) : (
          <li key={name}>
            {how.includes("default") || name === DEFAULT_GROUP ? (
              name
            ) : (
              <TextLink href={`/admin/groups/${encodeURIComponent(name)}`}>{name}</TextLink>
            )}{" "}
            <span className="text-muted">
              ({how.map((way) => MEMBERSHIP_WORDS[way]).join(", ")}
              {!active && ", inactive"})
            </span>
          </li>
        ),
      )}
    </ul>
  );
}
