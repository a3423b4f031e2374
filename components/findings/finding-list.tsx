import { useGet } from "@/components/resource/use-get";
import { FindingPlaces, subjectHref } from "@/components/findings/finding-places";
import { KIND_WORDS, SEVERITY } from "@/components/findings/finding-words";
import type { Fold } from "@/components/resource/list/list-props";
import { List } from "@/components/resource/list/list";
import type { Chip, Column, Filter } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { WithCode } from "@/components/ui/json/with-code";
import { lazyPart } from "@/components/ui/lazy-part";
import { append } from "@/lib/access/model/lists";
import type { FindingRow, FindingsOutput } from "@/lib/contracts/decisions/finding";

const Peek = lazyPart(async () => (await import("@/components/findings/finding-peek")).FindingPeek);

const COLUMNS: readonly Column<FindingRow>[] = [
  {
    id: "text",
    header: "Finding",
    className: "w-1/2",
    // The title is a sentence, so it is not truncated.
    cell: ({ text }) => (
      <WithCode as="span" className="block min-w-60 font-normal sm:min-w-72 whitespace-normal" text={text} />
    ),
  },
  {
    id: "severity",
    header: "Severity",
    cell: ({ severity }) => <Badge tone={SEVERITY[severity].tone}>{SEVERITY[severity].word}</Badge>,
  },
  {
    id: "kind",
    header: "Kind",
    className: "min-w-44",
    cell: ({ kind }) => <span className="text-muted">{KIND_WORDS[kind]}</span>,
  },
  {
    id: "fix",
    header: "What to do",
    className: "w-1/2 min-w-56",
    cell: ({ fix }) => <WithCode as="span" className="text-muted" text={fix} />,
  },
  {
    id: "refs",
    header: "Where",
    fields: ["about", "refs"],
    className: "min-w-40",
    cell: (finding) => (
      <span className="relative z-1 flex flex-wrap gap-x-3">
        <FindingPlaces finding={finding} />
      </span>
    ),
  },
];

const SUBJECTS = [
  "policy",
  "group",
  "tool",
  "machine",
  "profile",
  "agent",
  "flow",
] as const satisfies FindingRow["about"]["kind"][];

const CHIPS: readonly Chip[] = [{ key: "name", label: "Name" }];

/** The warnings of one kind that stay apart; more of them fold. */
const MAX_ALIKE = 2;

/** Notes are harmless, so they fold. Many warnings of one kind fold too, so that another kind is not overlooked. */
function foldsOf(rows: readonly FindingRow[]): ReadonlyMap<FindingRow, Fold> {
  const folds = new Map<FindingRow, Fold>();
  const warnings = new Map<FindingRow["kind"], FindingRow[]>();
  for (const row of rows)
    if (row.severity === "info") folds.set(row, { id: "notes", label: "Notes" });
    else if (row.severity === "warning") append(warnings, row.kind, row);
  for (const [kind, alike] of warnings)
    if (alike.length > MAX_ALIKE)
      for (const row of alike) folds.set(row, { id: kind, label: `Warnings: ${KIND_WORDS[kind]}` });
  return folds;
}

/** The findings in the configuration, the gravest kinds first. A row opens what it is about. */
export function FindingList() {
  const counts = useCounts();
  const kinds = (Object.keys(KIND_WORDS) as FindingRow["kind"][]).filter((kind) => counts[kind] !== undefined);
  const filters: readonly Filter[] = [
    {
      key: "kind",
      label: "Kind",
      options: kinds.map((value) => ({
        value,
        label: `${KIND_WORDS[value]} (${(counts[value] ?? 0).toLocaleString("en")})`,
      })),
    },
    {
      key: "severity",
      label: "Severity",
      options: Object.entries(SEVERITY).map(([value, { word }]) => ({ value, label: word })),
    },
    { key: "about", label: "About", options: SUBJECTS.map((value) => ({ value, label: value })) },
  ];
  return (
    <List<FindingRow>
      list="findings"
      words={["finding", "findings"]}
      columns={COLUMNS}
      idOf={({ id }) => id}
      hrefOf={subjectHref}
      filters={filters}
      chips={CHIPS}
      searches="Search names and sentences…"
      folds={foldsOf}
      exports
      renderPeek={(id, onClose) => <Peek id={id} onClose={onClose} />}
    />
  );
}

/** The number of findings of each kind that there is. */
function useCounts(): FindingsOutput["counts"] {
  const { data } = useGet<FindingsOutput>(["findings", "counts"], "/api/admin/findings?limit=1");
  return data?.counts ?? {};
}
