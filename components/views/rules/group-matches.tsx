import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { problemsOf, request } from "@/components/resource/request";
import { useDebounced } from "@/components/resource/use-debounced";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { WithCode } from "@/components/ui/json/with-code";
import { MEMBERSHIP_WORDS } from "@/components/views/membership-words";
import { LostMembers, MAX_SHOWN, compareMembers, NO_CHANGES } from "@/components/views/rules/moved-members";
import { clauseInWords, statedIn, failureInWords } from "@/components/views/rules/selector-words";
import type { Input } from "@/lib/resources";
import type { GroupMatchesOutput } from "@/lib/contracts/decisions/group-matches";

type Group = Input<"groups">;
type Clause = GroupMatchesOutput["nearMisses"][number]["missing"];

interface GroupMatchesProps {
  group: Group;
  /** The stored group; `null` for a new one. */
  saved: Group | null;
  onInclude: (toolId: string) => void;
  onExclude: (toolId: string) => void;
  readOnly: boolean;
}

/** Members that are compared with those of the saved group. */
const MAX_COMPARED = 500;

/** The tools of the drafted group with the matching rule, and tools that nearly match. The server's resolver decides. */
export function GroupMatches({ group, saved, onInclude, onExclude, readOnly }: GroupMatchesProps) {
  const draft = useDebounced(group, 150);
  // Tools name a stored group by its stored name, and get its new name only when it is saved.
  const now = useMatches(saved === null ? draft : { ...draft, name: saved.name });
  const before = useMatches(saved ?? draft, saved !== null);
  const moved = saved === null ? NO_CHANGES : compareMembers(before.data, now.data);
  return (
    <section aria-label="Matching tools" className="flex shrink-0 flex-col rounded-lg border border-line bg-panel">
      <div className="flex items-center gap-2 border-b border-line px-3 py-2">
        <h2 className="text-sm font-semibold">Matching tools</h2>
        {now.data !== undefined && (
          <span aria-live="polite" className="text-xs text-muted tabular-nums">
            {now.data.counts.members.toLocaleString("en")} of {now.data.counts.tools.toLocaleString("en")}
          </span>
        )}
        {moved.more > 0 && <Badge tone="allow">{`+${moved.more} since saved`}</Badge>}
        {moved.fewer > 0 && <Badge tone="deny">{`−${moved.fewer} since saved`}</Badge>}
      </div>
      {now.isPending && <Skeleton className="m-3 h-24" />}
      {now.isError && (
        <WithCode
          as="p"
          role="alert"
          className="px-3 py-3 text-xs text-deny"
          text={problemsOf(now.error)[0]?.message ?? ""}
        />
      )}
      {now.data !== undefined && (
        <div className={cn("transition-opacity", now.isPlaceholderData && "opacity-55")}>
          <LostMembers ids={moved.lost} />
          <Members data={now.data} gained={moved.gained} onExclude={onExclude} readOnly={readOnly} />
          {/* With one clause, every other tool nearly matches, which is no information. */}
          {draft.selectors.flatMap(statedIn).length > 1 && (
            <NearMisses data={now.data} onInclude={onInclude} readOnly={readOnly} />
          )}
        </div>
      )}
    </section>
  );
}

function useMatches(group: Group, enabled = true) {
  return useQuery({
    queryKey: ["groups", "matches", group],
    queryFn: ({ signal }) =>
      request<GroupMatchesOutput>("/api/admin/groups/matches", {
        method: "POST",
        body: { group, limit: MAX_COMPARED },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled,
  });
}

function Members({
  data,
  gained,
  onExclude,
  readOnly,
}: {
  data: GroupMatchesOutput;
  gained: ReadonlySet<string>;
  onExclude: (id: string) => void;
  readOnly: boolean;
}) {
  if (data.items.length === 0)
    return <p className="px-3 py-6 text-center text-xs text-muted">No tools in this group yet.</p>;
  return (
    <ul aria-label="Members">
      {data.items.slice(0, MAX_SHOWN).map((tool) => (
        <li key={tool.toolId} className="group/row border-b border-line px-3 py-1.5 last:border-b-0">
          <div className="flex items-center gap-2">
            <TextLink
              href={`/admin/tools/${encodeURIComponent(tool.toolId)}`}
              className="min-w-0 truncate font-mono text-xs text-ink"
            >
              {tool.toolId}
            </TextLink>
            {gained.has(tool.toolId) && <Badge tone="allow">new</Badge>}
            {!tool.enabled && <Badge tone="warn">disabled</Badge>}
            {!readOnly && <RowButton verb="Exclude" id={tool.toolId} onClick={onExclude} />}
          </div>
          <p className="truncate text-xs text-muted">
            {tool.how.map((how) => (how === "selectors" ? caught(tool.clauses) : MEMBERSHIP_WORDS[how])).join(" · ")}
          </p>
        </li>
      ))}
      {data.total > MAX_SHOWN && (
        <li className="px-3 py-2 text-xs text-faint">and {(data.total - MAX_SHOWN).toLocaleString("en")} more</li>
      )}
    </ul>
  );
}

/** A button that shows while its row has the pointer or the focus. */
function RowButton({ verb, id, onClick }: { verb: string; id: string; onClick: (id: string) => void }) {
  return (
    <Button
      variant="ghost"
      size="sm"
      onClick={() => onClick(id)}
      aria-label={`${verb} ${id}`}
      className="-my-0.5 ml-auto h-6 text-xs opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 max-sm:opacity-100 pointer-coarse:opacity-100"
    >
      {verb}
    </Button>
  );
}

function NearMisses({
  data,
  onInclude,
  readOnly,
}: {
  data: GroupMatchesOutput;
  onInclude: (id: string) => void;
  readOnly: boolean;
}) {
  if (data.nearMisses.length === 0) return null;
  return (
    <div className="border-t border-line">
      <h3 className="px-3 pt-2 text-xs font-medium text-muted">Near misses</h3>
      <ul aria-label="Near misses">
        {data.nearMisses.map((tool) => (
          <li key={tool.toolId} className="group/row px-3 py-1.5 last:pb-2.5">
            <div className="flex items-center gap-2">
              <TextLink
                href={`/admin/tools/${encodeURIComponent(tool.toolId)}`}
                className="min-w-0 truncate font-mono text-xs text-muted"
              >
                {tool.toolId}
              </TextLink>
              {!readOnly && <RowButton verb="Include" id={tool.toolId} onClick={onInclude} />}
            </div>
            <p className="truncate text-xs text-warn">
              {failureInWords(tool.missing.clause, tool.missing.pattern, tool.missing.actual)}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function caught(clauses: readonly Clause[]): string {
  const held = clauses.filter((clause) => clause.held).map(({ clause, pattern }) => clauseInWords(clause, pattern));
  return held.length === 0 ? "any tool" : held.join(", ");
}
