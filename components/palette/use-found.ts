import { useQueries } from "@tanstack/react-query";
import { useGet } from "@/components/resource/use-get";
import { byDistance, objectTarget, wordOfList, type Target } from "@/components/palette/targets";
import { request } from "@/components/resource/request";
import { useApplyColumns } from "@/components/resource/list/use-list-layout";
import { viewHref } from "@/components/resource/list/use-views";
import type { ResourceFacts } from "@/components/resource/view";
import type { ResourceName } from "@/lib/resources";
import type { Page } from "@/lib/contracts/changes/list";
import type { SavedViewRow } from "@/lib/resources/saved-view";

const EACH = 5;

/** The server's results: objects of every resource that the role may read, and saved views. */
interface Found {
  readonly targets: readonly Target[];
  readonly pending: boolean;
  /** The names of the lists whose search failed. */
  readonly failed: readonly string[];
  readonly retry: () => void;
}

/** Searches every list for the best few matches. Sends nothing for an empty text. */
export function useFound(facts: readonly ResourceFacts<ResourceName>[], text: string): Found {
  const giveColumns = useApplyColumns();
  const enabled = text !== "";
  const search = new URLSearchParams({ q: text, limit: String(EACH) });
  const objects = useQueries({
    queries: facts.map(({ resource }) => ({
      queryKey: [resource, "found", text],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        request<Page<Record<string, unknown>>>(`/api/admin/${resource}?${search}`, { signal }),
      enabled,
    })),
  });
  const views = useGet<Page<SavedViewRow>>(["views", "found", text], `/api/admin/views?${search}`, {
    enabled,
  });
  const rows = facts.flatMap((own, index) =>
    (objects[index]?.data?.items ?? []).map((row) => objectTarget(own, String(row[own.id]))),
  );
  const seen = (views.data?.items ?? []).map((view): Target => ({
    id: `view ${view.name}`,
    label: view.name,
    hint: `view of ${wordOfList(facts, view.resource)}`,
    does: { href: viewHref(view), first: () => giveColumns(view.resource, view.columns) },
  }));
  const all = [...objects, views];
  return {
    targets: [...rows, ...seen].toSorted(byDistance(text)),
    pending: enabled && all.some(({ isPending }) => isPending),
    failed: [...facts.map(({ words }) => words[1]), "views"].filter((_words, index) => all[index]?.isError === true),
    retry: () => all.forEach((query) => query.isError && void query.refetch()),
  };
}
