import { KIND_WORDS, SEVERITY_TONES } from "@/components/drift/drift-words";
import type { Column } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { Time } from "@/components/ui/time";
import type { DriftItem } from "@/lib/contracts/sources/drift";

/** The columns of the review. Next to the definitions there is room for only a few. */
export const DRIFT_COLUMNS: readonly Column<DriftItem>[] = [
  { id: "id", header: "Tool", cell: ({ id }) => id },
  {
    id: "severity",
    header: "Severity",
    cell: ({ severity }) => <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>,
  },
  { id: "kind", header: "Kind", cell: ({ kind }) => <Badge tone="outline">{KIND_WORDS[kind]}</Badge> },
  {
    id: "notes",
    header: "What differs",
    className: "w-full line-clamp-2",
    cell: ({ notes }) => notes[0]?.text.replaceAll("`", ""),
  },
  { id: "source", header: "Source", aside: true, cell: ({ source }) => source },
  { id: "since", header: "Found", aside: true, cell: ({ since }) => <Time at={since} /> },
  { id: "rejectedBy", header: "Kept quarantined by", aside: true, cell: ({ rejectedBy }) => rejectedBy },
];
