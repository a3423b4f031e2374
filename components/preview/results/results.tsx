import type { ReactNode } from "react";
import type { CallerChoice } from "@/components/preview/draft";
import { Funnel } from "@/components/preview/results/funnel";
import { machineStateInWords } from "@/components/executions/state-words";
import { ObservedChanges } from "@/components/preview/results/observed-changes";
import { isFound, REASON_WORDS } from "@/lib/contracts/decisions/reason-words";
import { ToolList, type ToolLine } from "@/components/preview/results/tool-list";
import { ToolTitle } from "@/components/preview/results/tool-title";
import { FilterBox } from "@/components/resource/filters/filter-box";
import { useTypedNames } from "@/components/resource/use-names";
import { SideEffectsBadge } from "@/components/views/tools/side-effects-badge";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { exceededLimit } from "@/lib/manifest/request-limit";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

export type ResultTab = "visible" | "hidden";

interface ResultsProps {
  answer: PreviewOutput;
  /** The answer, or the one that the server found by the filter when there are thousands; `null` = on its way. */
  hidden: Pick<PreviewOutput, "hidden" | "moreHidden"> | null;
  filter: string;
  onFilter: (text: string) => void;
  stale: boolean;
  tab: ResultTab;
  onTab: (tab: ResultTab) => void;
  selected: string | null;
  onSelect: (id: string) => void;
  /** Previews as a persona instead. Offered when the caller sees no tool. */
  onCaller: (caller: CallerChoice) => void;
  actions: ReactNode;
}

/** The resolved tools: the funnel, the visible and the hidden ones. */
export function Results(props: ResultsProps) {
  const { answer, filter, onFilter, stale, tab, onTab, selected, onSelect, onCaller, actions } = props;
  const visible = answer.tools.filter((tool) => matches(tool, filter)).map(visibleLine);
  const hiddenCount = hiddenIn(answer);
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p aria-live="polite" className="text-base">
          <span className="font-semibold tabular-nums">{answer.tools.length.toLocaleString("en")}</span>{" "}
          {answer.tools.length === 1 ? "tool" : "tools"}
          <span className="text-muted"> · about {answer.tokens.toLocaleString("en")} tokens</span>
        </p>
        <div className="flex flex-wrap gap-1.5">{actions}</div>
      </div>
      <VendorLimit tools={answer.tools.length} />
      <Funnel steps={answer.trace.steps} />
      <DecisionFacts answer={answer} />
      <ObservedChanges observed={answer.observed} />
      <Tabs<ResultTab>
        aria-label="Tools"
        className="min-h-0 flex-1"
        value={tab}
        onChange={onTab}
        tabs={[
          { value: "visible", label: "Visible", count: answer.tools.length },
          { value: "hidden", label: "Hidden", count: hiddenCount },
        ]}
      >
        <FilterBox
          label="Filter tools"
          placeholder="Filter by name, id or reason…"
          value={filter}
          onChange={(text) => onFilter(text ?? "")}
          className="mt-3 w-full"
        />
        <TabPanel value="visible" className="flex flex-1 flex-col pt-2">
          {visible.length > 0 ? (
            <ToolList label="Visible tools" lines={visible} selected={selected} onSelect={onSelect} stale={stale} />
          ) : (
            <NoTools
              filtered={filter !== ""}
              hidden={hiddenCount}
              onHidden={() => onTab("hidden")}
              onCaller={onCaller}
            />
          )}
        </TabPanel>
        <TabPanel value="hidden" className="flex flex-1 flex-col pt-2">
          <HiddenTools {...props} />
        </TabPanel>
      </Tabs>
    </div>
  );
}

function HiddenTools({ hidden: answer, filter, selected, onSelect, stale }: ResultsProps) {
  if (answer === null) return <Skeleton className="h-40" />;
  const { hidden, moreHidden } = answer;
  const lines = hidden.filter((tool) => isFound(tool, filter)).map(hiddenLine);
  if (lines.length === 0)
    return <EmptyState title={filter === "" ? "Nothing is hidden" : "No hidden tool matches the filter"} />;
  return (
    <>
      <ToolList label="Hidden tools" lines={lines} selected={selected} onSelect={onSelect} stale={stale} />
      {moreHidden > 0 && (
        <p className="pt-2 text-sm text-muted">
          {moreHidden === 1 ? "1 more hidden tool is" : `${moreHidden.toLocaleString("en")} more hidden tools are`} not
          listed. Filter to find {moreHidden === 1 ? "it" : "them"}.
        </p>
      )}
    </>
  );
}

/** How many tools the steps removed, listed or not. */
function hiddenIn({ trace: { steps } }: PreviewOutput): number {
  return (steps[0]?.before ?? 0) - (steps.at(-1)?.after ?? 0);
}

/** The placeholder of an answer that is loading. */
export function ResultsSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-12" />
      <Skeleton className="h-96" />
    </div>
  );
}

/** Shown when the whole list exceeds a limit of a vendor's model. */
function VendorLimit({ tools }: { tools: number }) {
  const most = exceededLimit("openai-chat", tools);
  if (most === null) return null;
  return (
    <p className="text-sm text-warn">
      OpenAI Chat accepts at most {most} tools in one request. Grant fewer tools, or list them with{" "}
      <code className="font-mono">listing=search</code>.
    </p>
  );
}

/** The facts that the decision used: revision, state, profile, routing. */
function DecisionFacts({ answer }: { answer: PreviewOutput }) {
  return (
    <div className="flex flex-wrap gap-1">
      <Badge tone="outline">revision {answer.revision}</Badge>
      <Badge tone="outline">{machineStateInWords(answer.machine, answer.state)}</Badge>
      <Badge tone="outline">profile {answer.profile.join(" + ")}</Badge>
      {answer.mode !== "full" && <Badge tone="warn">routing {answer.mode.replaceAll("_", " ")}</Badge>}
      {answer.trace.unknownGroups.map((name) => (
        <Badge key={name} tone="warn">
          no group {name}
        </Badge>
      ))}
      {answer.trace.errors.map((error) => (
        <Badge key={error} tone="deny" title={error}>
          {error}
        </Badge>
      ))}
    </div>
  );
}

interface NoToolsProps {
  filtered: boolean;
  hidden: number;
  onHidden: () => void;
  onCaller: (caller: CallerChoice) => void;
}

function NoTools({ filtered, hidden, onHidden, onCaller }: NoToolsProps) {
  const agents = useTypedNames("agents").first.map(({ value }) => ({ kind: "agent" as const, name: value }));
  const personas = useTypedNames("personas").first.map(({ value }) => ({ kind: "persona" as const, name: value }));
  if (filtered) return <EmptyState title="No visible tool matches the filter" />;
  if (hidden === 0) return <EmptyState title="There are no tools yet">Add a source first.</EmptyState>;
  return (
    <EmptyState title="This caller sees no tools" action={<Button onClick={onHidden}>See why each is hidden</Button>}>
      <Callers label="Preview as an agent:" callers={agents} onCaller={onCaller} />
      <Callers label="Preview as a persona:" callers={personas} onCaller={onCaller} />
    </EmptyState>
  );
}

/** Callers that are offered. */
const MAX_OFFERED = 3;

interface CallersProps extends Pick<NoToolsProps, "onCaller"> {
  label: string;
  callers: readonly Extract<CallerChoice, { name: string }>[];
}

/** The first agents or personas, each to preview with one press. */
function Callers({ label, callers, onCaller }: CallersProps) {
  if (callers.length === 0) return null;
  return (
    <span className="flex flex-wrap items-center justify-center gap-1">
      {label}
      {callers.slice(0, MAX_OFFERED).map((caller) => (
        <Button
          key={caller.name}
          size="sm"
          variant="ghost"
          className="max-w-full text-accent"
          onClick={() => onCaller(caller)}
        >
          <span className="truncate">{caller.name}</span>
        </Button>
      ))}
    </span>
  );
}

function visibleLine(tool: PreviewOutput["tools"][number]): ToolLine {
  return {
    id: tool.toolId,
    name: tool.name,
    detail: () => <ToolTitle {...tool} />,
    dimmed: !tool.callable,
    aside: () => (
      <>
        {tool.hasSideEffects && <SideEffectsBadge />}
        {!tool.callable && <Badge tone="warn">not callable</Badge>}
        {tool.needsApproval && <Badge tone="warn">needs approval</Badge>}
        {tool.conditional && <Badge tone="accent">conditions</Badge>}
        {/* A phone has room for the marks only. The explanation names the groups. */}
        <span className="flex items-center gap-1 max-sm:hidden">
          {tool.groups.slice(0, 2).map((group) => (
            <Badge key={group}>{group}</Badge>
          ))}
          {tool.groups.length > 2 && <Badge>+{tool.groups.length - 2}</Badge>}
        </span>
      </>
    ),
  };
}

function hiddenLine(tool: PreviewOutput["hidden"][number]): ToolLine {
  return {
    id: tool.toolId,
    name: tool.name,
    detail: () => (tool.fix ? fixInWords(tool.fix) : tool.toolId),
    dimmed: true,
    aside: () => (
      <>
        {tool.hasSideEffects && <SideEffectsBadge />}
        <Badge tone="warn">{REASON_WORDS[tool.reason]}</Badge>
      </>
    ),
  };
}

function fixInWords({ changes }: NonNullable<PreviewOutput["hidden"][number]["fix"]>): string {
  const text = changes.map((change) => change.text.replaceAll("`", "")).join(" · ");
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function matches({ toolId, name }: PreviewOutput["tools"][number], filter: string): boolean {
  return `${toolId} ${name}`.toLowerCase().includes(filter.trim().toLowerCase());
}
