import { useState, type ReactNode } from "react";
import { ComparisonTable } from "@/components/preview/results/comparison-table";
import { lowerFirst } from "@/components/ui/text/letter-case";
import { REASON_WORDS } from "@/lib/contracts/decisions/reason-words";
import { ToolList, type ToolLine } from "@/components/preview/results/tool-list";
import { ToolTitle } from "@/components/preview/results/tool-title";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import type { ComparisonOutput } from "@/lib/contracts/decisions/comparison";

type Kind = "gained" | "lost" | "altered" | "unchanged";

interface ComparisonResultsProps {
  answer: ComparisonOutput;
  names: { readonly before: string; readonly after: string };
  stale: boolean;
  selected: string | null;
  onSelect: (id: string) => void;
  actions: ReactNode;
}

/** The tools that the second side gains, loses and changes. */
export function ComparisonResults({ answer, names, stale, selected, onSelect, actions }: ComparisonResultsProps) {
  const [chosen, setChosen] = useState<Kind | null>(null);
  const lines = linesOf(answer);
  // By default, shows differences first.
  const tab = chosen ?? KINDS.find(({ kind }) => lines[kind].length > 0)?.kind ?? "unchanged";
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p aria-live="polite" className="flex flex-wrap items-baseline gap-x-3 text-base">
          <Count sign="+" tone="text-allow" count={answer.gained.length} word="gained" />
          <Count sign="−" tone="text-deny" count={answer.lost.length} word="lost" />
          {answer.altered.length > 0 && (
            <Count sign="~" tone="text-warn" count={answer.altered.length} word="altered" />
          )}
        </p>
        {actions}
      </div>
      <ComparisonTable answer={answer} names={names} />
      <Tabs<Kind>
        aria-label="Differences"
        className="min-h-0 flex-1"
        value={tab}
        onChange={setChosen}
        tabs={KINDS.map(({ kind, label }) => ({ value: kind, label, count: lines[kind].length }))}
      >
        {KINDS.map(({ kind, label, none }) => (
          <TabPanel key={kind} value={kind} className="flex flex-1 flex-col pt-3">
            {lines[kind].length > 0 ? (
              <ToolList
                label={`${label} tools`}
                lines={lines[kind]}
                selected={selected}
                onSelect={onSelect}
                stale={stale}
              />
            ) : (
              <EmptyState title={none} />
            )}
          </TabPanel>
        ))}
      </Tabs>
    </div>
  );
}

const KINDS = [
  { kind: "gained", label: "Gained", none: "No gained tools" },
  { kind: "lost", label: "Lost", none: "No lost tools" },
  { kind: "altered", label: "Changed", none: "No changed tools" },
  { kind: "unchanged", label: "Unchanged", none: "No unchanged tools" },
] as const satisfies readonly { kind: Kind; label: string; none: string }[];

function Count({ sign, tone, count, word }: { sign: string; tone: string; count: number; word: string }) {
  return (
    <span className={cn(count === 0 && "text-muted")}>
      <span className={cn("font-semibold tabular-nums", count > 0 && tone)}>
        {count > 0 && sign}
        {count.toLocaleString("en")}
      </span>{" "}
      {word}
    </span>
  );
}

function linesOf({ gained, lost, altered, unchanged }: ComparisonOutput): Record<Kind, ToolLine[]> {
  return {
    gained: gained.map((tool) => ({
      ...line(tool, () => throughWords(tool)),
      aside: () => <Why hidden={tool.hidden} when="was" />,
    })),
    lost: lost.map((tool) => ({
      ...line(tool, () => fixWords(tool)),
      aside: () => <Why hidden={tool.hidden} when="now" />,
    })),
    altered: altered.map((tool) => ({
      ...line(tool),
      aside: () =>
        tool.fields.slice(0, 3).map((field) => (
          <Badge key={field} tone="warn">
            {field.replaceAll("_", " ")}
          </Badge>
        )),
    })),
    unchanged: unchanged.map((tool) => ({ ...line(tool), aside: () => null })),
  };
}

function line(
  { toolId, name, displayName }: ComparisonOutput["unchanged"][number],
  words: () => string | null = () => null,
) {
  return {
    id: toolId,
    name,
    detail: () => words() ?? <ToolTitle toolId={toolId} displayName={displayName} />,
  };
}

/** Why the other side does not see it. */
function Why({ hidden, when }: { hidden: ComparisonOutput["gained"][number]["hidden"]; when: "was" | "now" }) {
  const words = hidden === null ? "no such tool" : lowerFirst(REASON_WORDS[hidden.reason]);
  return <Badge tone={when === "was" ? "neutral" : "warn"}>{when === "was" ? `was: ${words}` : words}</Badge>;
}

function throughWords({ via }: ComparisonOutput["gained"][number]): string | null {
  if (via.length === 0) return null;
  return via.map(({ group, policies }) => `${policies.join(", ")} → ${group}`).join(" · ");
}

function fixWords({ hidden }: ComparisonOutput["lost"][number]): string | null {
  const changes = hidden?.fix?.changes ?? [];
  return changes.length === 0 ? null : changes.map(({ text }) => text.replaceAll("`", "")).join(" · ");
}
