import { FlowImpactLine } from "@/components/flow/flow-impact-line";
import { storeDraft } from "@/components/resource/editor/stored-draft";
import { useGo } from "@/components/resource/go";
import { ProblemNote } from "@/components/resource/problem-note";
import { useGet } from "@/components/resource/use-get";
import { useCan } from "@/components/resource/who";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { counted } from "@/components/ui/counted";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { ToolId } from "@/components/ui/tool-id";
import { PRIVATE, UNTRUSTED } from "@/lib/access/model/flow";
import type { TrifectaCaller, TrifectaOutput } from "@/lib/contracts/decisions/trifecta";
import type { Input } from "@/lib/resources";

const KINDS = { persona: "persona", agent: "agent", caller: "recent caller" } as const;

/** The callers that can read private data, read untrusted text and then send out, with the rule that stops each. */
export function TrifectaScreen() {
  const found = useGet<TrifectaOutput>(["trifecta"], "/api/admin/trifecta", { staleTime: 0 });
  return (
    <div className="flex flex-col gap-4 p-5">
      <h1 className="sr-only">Trifecta</h1>
      {found.isError && found.data === undefined ? (
        <ProblemNote error={found.error} onRetry={() => void found.refetch()} />
      ) : found.data === undefined ? (
        <Skeleton className="h-64 rounded-lg" />
      ) : (
        <Triangles found={found.data} />
      )}
    </div>
  );
}

const CORNERS = [
  ["private", "read private data"],
  ["untrusted", "read untrusted text"],
  ["outward", "send data out"],
] as const;

type Decided = Pick<TrifectaOutput, "callers" | "known" | "more">;

/** How many callers can send data out. It clears no caller that was not decided. */
export function openInWords(found: Decided): string {
  const { callers } = found;
  const open = callers.filter((caller) => caller.open.count > 0).length;
  if (open > 0)
    return `${counted(open, "caller", "callers")} can send data out after reading both private data and untrusted text. Such text can make an agent send the data to somebody else.`;
  const others = isWhole(found) ? "" : " Other callers were not decided.";
  return `${noCaller(found)} can send data out after it has read both private data and untrusted text.${others}`;
}

/** Names the marks that no visible tool has. Without this, unmarked tools look like safe ones. */
export function unmarkedInWords(found: Decided): string | null {
  const missing = CORNERS.filter(([corner]) => found.callers.every((caller) => caller[corner].count === 0));
  if (missing.length === 0) return null;
  const does = missing.map(([, words]) => words).join(" or to ");
  return `${noCaller(found)} has a tool that is marked to ${does}. If a tool does so, state it in the tab Flow of the tool: unmarked tools count as “no”.`;
}

const noCaller = (found: Decided) => (isWhole(found) ? "No caller" : "No caller in the table");

/** Whether every known caller was decided, and the log has no others. */
const isWhole = ({ callers, known, more }: Decided) => callers.length === known && !more;

function Triangles({ found }: { found: TrifectaOutput }) {
  const { callers, known, more } = found;
  if (callers.length === 0)
    return (
      <EmptyState title="No callers yet">
        Personas, agents and callers of the log appear here, with what each can read and send.
      </EmptyState>
    );
  const restrictions = [...new Set(callers.map(keyOfRule))].filter((key) => key !== null);
  const replayed = restrictions.slice(0, MAX_REPLAYED);
  const unmarked = unmarkedInWords(found);
  return (
    <>
      <p className="max-w-prose text-sm text-pretty">{openInWords(found)}</p>
      {unmarked !== null && <p className="max-w-prose text-sm text-pretty text-warn">{unmarked}</p>}
      <Table label="Callers" stacks>
        <Headers
          of={["Caller", "Reads private", "Reads untrusted", "Sends out", "Sends after both", { hidden: "Rule" }]}
        />
        <tbody>
          {callers.map((caller) => (
            <CallerRow
              key={JSON.stringify([caller.kind, caller.issuer, caller.name])}
              caller={caller}
              isReplayed={replayed.includes(keyOfRule(caller) ?? "")}
            />
          ))}
        </tbody>
      </Table>
      <p className="text-xs text-muted">
        {callers.length < known
          ? `${callers.length.toLocaleString("en")} of ${known.toLocaleString("en")} callers are shown: the time limit ended before the others were decided.`
          : `${counted(callers.length, "caller", "callers")}${more ? ": the latest of the log and the first agents by name" : ""}.`}{" "}
        The table uses each tool’s <TextLink href="/admin/tools">flow</TextLink>, stated or{" "}
        <TextLink href="/admin/flow-guesses">guessed</TextLink>.
      </p>
    </>
  );
}

/** Different rules that are replayed without a request. Callers often share one. */
const MAX_REPLAYED = 3;

/** Equal for callers whose triangles the same rule closes; `null` = the triangle is closed. */
function keyOfRule({ smallest }: TrifectaCaller): string | null {
  return smallest === null ? null : JSON.stringify([smallest.is, smallest.tool]);
}

interface CallerRowProps {
  caller: TrifectaCaller;
  /** Whether its rule is replayed without a request. */
  isReplayed: boolean;
}

function CallerRow({ caller, isReplayed }: CallerRowProps) {
  const { kind, name, refused } = caller;
  return (
    <tr>
      <Td>
        <span className="flex flex-wrap items-center gap-x-2">
          {kind === "caller" ? name : <TextLink href={`/admin/${kind}s/${encodeURIComponent(name)}`}>{name}</TextLink>}
          <span className="text-xs text-muted">{KINDS[kind]}</span>
        </span>
      </Td>
      {refused === null ? (
        <>
          <Corner label="Reads private" of={caller.private} />
          <Corner label="Reads untrusted" of={caller.untrusted} />
          <Corner label="Sends out" of={caller.outward} />
          <Td data-label="Sends after both">
            {caller.open.count === 0 ? (
              <Badge tone="allow">no</Badge>
            ) : (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <Badge tone="deny">open</Badge>
                <ToolNames of={caller.open} />
              </span>
            )}
          </Td>
          <Td className={caller.smallest === null ? undefined : "md:min-w-60"}>
            <DraftButton caller={caller} />
            {caller.smallest !== null && <FlowImpactLine rule={ruleFor(caller.smallest)} isReplayed={isReplayed} />}
          </Td>
        </>
      ) : (
        <Td colSpan={5} className="text-muted">
          Gets no tools: {refused}
        </Td>
      )}
    </tr>
  );
}

function Corner({ label, of }: { label: string; of: TrifectaCaller["open"] }) {
  return <Td data-label={label}>{of.count === 0 ? <span className="text-muted">no</span> : <ToolNames of={of} />}</Td>;
}

/** Most names in one cell; the tooltip has more. */
const MAX_NAMES = 2;

function ToolNames({ of: { count, tools } }: { of: TrifectaCaller["open"] }) {
  const shown = tools.slice(0, MAX_NAMES);
  return (
    <span title={tools.join("\n")} className="inline-flex flex-col items-start">
      {shown.map((id) => (
        <TextLink key={id} href={`/admin/tools/${encodeURIComponent(id)}?tab=flow`}>
          <ToolId id={id} />
        </TextLink>
      ))}
      {count > shown.length && <span className="text-xs text-muted">and {count - shown.length} more</span>}
    </span>
  );
}

/** Opens the editor with the smallest rule that closes the triangle. */
function DraftButton({ caller: { name, smallest } }: { caller: TrifectaCaller }) {
  const go = useGo();
  const mayWrite = useCan("configuration:write");
  if (smallest === null || !mayWrite) return null;
  const { is, tool, tools } = smallest;
  return (
    <span className="flex flex-col items-start gap-0.5">
      <Button
        size="sm"
        aria-label={`Draft rule for ${name}`}
        onClick={() => go(storeDraft("flows", ruleFor(smallest)))}
      >
        Draft rule…
      </Button>
      <span className="text-xs text-muted">
        {tool === null ? `restricts class ${is}: ${counted(tools, "tool", "tools")}` : "restricts this tool alone"}
      </span>
    </span>
  );
}

/** The drafted rule is observed: it counts the calls that it would stop, and stops none until a person enforces it. */
function ruleFor({ is, tool }: NonNullable<TrifectaCaller["smallest"]>): Input<"flows"> {
  return {
    name: `trifecta-${(tool ?? is ?? "").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`.slice(0, 60),
    description: `After private data and untrusted text, ${tool ?? `tools of the class ${is}`} may not send.`,
    active: true,
    mode: "observe",
    when: [PRIVATE, UNTRUSTED],
    restrict: [{ is, tool, selector: null }],
    effect: "hide",
  };
}
