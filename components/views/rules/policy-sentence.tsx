import { useQuery } from "@tanstack/react-query";
import { countText } from "@/components/impact/count-text";
import { adminPath, request } from "@/components/resource/request";
import { counted } from "@/components/ui/counted";
import { WithCode } from "@/components/ui/json/with-code";
import { formatIn, useZone } from "@/components/ui/zone";
import { matcherInWords } from "@/components/views/rules/matchers";
import type { BuiltInGroups } from "@/lib/contracts/decisions/built-in-groups";
import type { GroupMatchesOutput } from "@/lib/contracts/decisions/group-matches";
import type { MatcherCounts } from "@/lib/contracts/decisions/impact";
import type { Input, Row } from "@/lib/resources";

type Policy = Input<"policies">;

/** Tools that the sentence names; it counts the others. */
const MAX_NAMED = 5;

interface PolicySentenceProps {
  policy: Policy;
  /** Recent callers that match; absent before the first complete condition. */
  counts: MatcherCounts | undefined;
}

/** What the drafted policy does, in a sentence: which tools it grants or withholds, and to whom. */
export function PolicySentence({ policy, counts }: PolicySentenceProps) {
  const { effect, groups, everyone } = policy;
  const matchers = policy.matchers.filter(isBegun);
  const conditions = policy.arguments.filter(isBegun);
  const tools = useToolsOf(groups);
  const period = usePeriod(policy);
  if (groups.length === 0 || (!everyone && matchers.length === 0)) return null;
  const which = groups.includes("*") ? "every tool" : `every tool of ${groups.map(code).join(" and ")}`;
  const who = everyone
    ? "every caller"
    : `callers whose ${matchers.map((one) => code(matcherInWords(one))).join(" and ")}`;
  const when =
    conditions.length === 0 ? "" : `, when ${conditions.map((one) => code(matcherInWords(one))).join(" and ")}`;
  const does =
    effect === "request"
      ? `Grants nothing by itself: ${who} may request ${which}, for up to ${counted(policy.maxHours ?? 0, "hour")} each${when}`
      : effect === "allow"
        ? `Grants ${which} to ${who}${when}`
        : conditions.length === 0
          ? `Withholds ${which} from ${who}, even if another group or policy grants it`
          : `Refuses calls of ${which} by ${who}${when}`;
  return (
    <p
      role="status"
      aria-label="What this policy does"
      className={`rounded-md border px-3 py-2 text-sm text-pretty ${effect === "deny" ? "border-transparent bg-deny-soft" : "border-line"}`}
    >
      {policy.mode === "observe" && "Observed: no effect yet. If you enforce it: "}
      <WithCode text={`${does}${period}.${tools === undefined ? "" : ` ${toolsInWords(tools)}`}`} />
      {counts !== undefined && counts.callers > 0 && !everyone && (
        <>
          {" "}
          {countText(counts.all, counts.coarse)} of {counted(counts.callers, "recent caller")}{" "}
          {counts.all === 1 ? "matches" : "match"}.
        </>
      )}
    </p>
  );
}

/** A new condition has no path yet, so the sentence leaves it out. */
const isBegun = ({ claim }: Policy["matchers"][number]): boolean => claim !== "";

const code = (text: string): string => `\`${text}\``;

/** When the policy applies: " from `1 Dec 2026, 00:00`". */
function usePeriod({ validFrom, validUntil }: Policy): string {
  const format = formatIn(useZone(), { dateStyle: "medium", timeStyle: "short" });
  const at = (word: string, time: string | null) =>
    time === null || Number.isNaN(Date.parse(time)) ? "" : ` ${word} ${code(format.format(new Date(time)))}`;
  return at("from", validFrom) + at("until", validUntil);
}

/** The tools of one group: the first by name, and the number of all. */
interface GroupTools {
  readonly ids: readonly string[];
  readonly total: number;
}

/** The number of tools in some groups, and the first of them. A lower bound where long groups may share tools. */
export function toolsInWords(groups: readonly GroupTools[]): string {
  const ids = [...new Set(groups.flatMap((group) => group.ids))];
  if (ids.length === 0) return "No tool is in these groups now.";
  const isWhole = groups.every((group) => group.ids.length === group.total);
  const count = isWhole ? ids.length : Math.max(ids.length, ...groups.map(({ total }) => total));
  const named = ids.slice(0, MAX_NAMED).map(code).join(", ");
  const more = count > MAX_NAMED ? ` and ${(count - MAX_NAMED).toLocaleString("en")} more` : "";
  return `Now ${isWhole || groups.length === 1 ? "" : "at least "}${counted(count, "tool")}: ${named}${more}.`;
}

/** The present tools of groups; absent while they load, and for the group `*`. */
function useToolsOf(groups: readonly string[]): readonly GroupTools[] | undefined {
  const { data } = useQuery({
    queryKey: ["groups", "tools", groups],
    queryFn: ({ signal }) => Promise.all(groups.map((name) => toolsOf(name, signal))),
    enabled: groups.length > 0 && !groups.includes("*"),
    staleTime: 30_000,
  });
  return data;
}

async function toolsOf(name: string, signal: AbortSignal): Promise<GroupTools> {
  if (name === "default") {
    const { items } = await request<BuiltInGroups>("/api/admin/built-in-groups", { signal });
    const { members: ids = [], count: total = 0 } = items.find((group) => group.name === name) ?? {};
    return { ids, total };
  }
  const row = await request<Row<"groups">>(adminPath("groups", name), { signal });
  const { description, guidance, active, selectors, include, exclude } = row;
  const group = { name, description, guidance, active, selectors, include, exclude };
  const body = { group, limit: 500 };
  const found = await request<GroupMatchesOutput>("/api/admin/groups/matches", { method: "POST", body, signal });
  return { ids: found.items.map(({ toolId }) => toolId), total: found.total };
}
