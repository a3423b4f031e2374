import { useQuery } from "@tanstack/react-query";
import type { NOTICE_QUERY } from "@/components/resource/detail/notices";
import { request } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import { append } from "@/lib/access/model/lists";
import type { FindingRow, FindingsOutput } from "@/lib/contracts/decisions/finding";

/** The first page of findings that match these filters. */
export function useFindings(filters: Readonly<Record<string, string>>, options: Partial<typeof NOTICE_QUERY> = {}) {
  return useGet<FindingsOutput>(
    ["findings", "some", filters],
    `/api/admin/findings?${new URLSearchParams(filters)}`,
    options,
  );
}

/** The severities that a badge counts. */
const BADGE_SEVERITIES: ReadonlySet<string> = new Set(["error", "warning"]);
const EMPTY: ReadonlyMap<string, readonly FindingRow[]> = new Map();

/** Errors and warnings by the name of the row that they are about. All badges of a list share one request. */
export function useFindingsAbout(about: FindingRow["about"]["kind"]): ReadonlyMap<string, readonly FindingRow[]> {
  const { data } = useQuery({
    queryKey: ["findings", "about", about],
    queryFn: ({ signal }) => readGraveOnes(about, signal),
    select: byName,
  });
  return data ?? EMPTY;
}

/** Reads page by page until the notes, which come last. */
async function readGraveOnes(about: FindingRow["about"]["kind"], signal: AbortSignal): Promise<readonly FindingRow[]> {
  const items: FindingRow[] = [];
  for (let cursor: string | null = ""; cursor !== null && items.at(-1)?.severity !== "info";) {
    const search = new URLSearchParams({ about, limit: "5000", ...(cursor !== "" && { cursor }) });
    const page: FindingsOutput = await request<FindingsOutput>(`/api/admin/findings?${search}`, { signal });
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

function byName(items: readonly FindingRow[]): ReadonlyMap<string, readonly FindingRow[]> {
  const findings = new Map<string, FindingRow[]>();
  for (const finding of items)
    if (BADGE_SEVERITIES.has(finding.severity)) append(findings, finding.about.name, finding);
  return findings;
}
