import { at, type Contract, type Contracts } from "@/lib/contracts/operations/operation";
import { EXPORT_TYPES } from "@/lib/contracts/changes/export";
import { EXPORTED_LISTS, type ExportedList } from "@/lib/contracts/changes/exported-lists";

const LISTS = Object.keys(EXPORTED_LISTS) as ExportedList[];

/** Contracts of the exports of lists without a resource. A resource's export is among the resource's contracts. */
export const EXPORT_CONTRACTS = Object.fromEntries(LISTS.map((list) => [list, contractOf(list)])) as {
  readonly [L in ExportedList]: ReturnType<typeof contractOf<L>>;
};

/** The contracts of these exports by operation id. */
export const EXPORT_OPERATIONS: Contracts = Object.fromEntries(
  LISTS.map((list) => [`export_${list}`, EXPORT_CONTRACTS[list]]),
);

function contractOf<L extends ExportedList>(list: L) {
  const { words, chapter, query, who } = EXPORTED_LISTS[list];
  return {
    ...at.get(`/api/admin/exports/${list}`),
    chapter,
    summary: `Export ${words[1]} as CSV or JSONL`,
    description: "Every row that matches the search and filters, in the order of the list, as a file without bodies.",
    who,
    query,
    answers: [{ status: 200, description: "One row per line.", types: Object.values(EXPORT_TYPES) }],
  } as const satisfies Contract;
}
