import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { PreviewBody } from "@/components/preview/draft";
import { request } from "@/components/resource/request";
import type { ManifestFormat } from "@/lib/contracts/agents/agent-api";
import type { ComparisonOutput } from "@/lib/contracts/decisions/comparison";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

/** How long after the last key the tool set is computed again. */
const DEBOUNCE_MS = 150;

/** The most hidden tools, and the most policies that concern neither caller nor tool, that a page loads at once. */
const PAGE = 500;

/** The body of a preview for a page, which shows the first of many hidden tools and policies. */
export function firstPage(body: PreviewBody | null): PreviewBody | null {
  return body === null ? null : { ...body, limit: PAGE };
}

/** The last answer for the inputs of a page. */
export interface Answered<T> extends Pick<UseQueryResult<T>, "data" | "error"> {
  /** Whether the inputs have changed since: `data` is the answer to former ones. */
  readonly isOutdated: boolean;
}

/** The resolved tools of a body, fetched after a pause in typing. The old answer stays meanwhile. */
export function usePreview(body: PreviewBody | null): Answered<PreviewOutput> {
  const { rested, isResting } = useRested(body);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["preview", rested],
    queryFn: ({ signal }) => ask({ ...rested }, signal),
    enabled: rested !== null,
    placeholderData: keepPreviousData,
    // Comparing two answers part by part takes longer than rendering one.
    structuralSharing: false,
  });
  return { data, error, isOutdated: isPlaceholderData || !isResting };
}

/** One tool's full explanation for the same body. */
export function useExplanation(body: PreviewBody | null, toolId: string | null): UseQueryResult<PreviewOutput> {
  const { rested } = useRested(body);
  return useQuery({
    queryKey: ["preview", rested, toolId],
    queryFn: ({ signal }) => ask({ ...rested, ...(toolId !== null && explained(rested, toolId)) }, signal),
    enabled: rested !== null && toolId !== null,
    placeholderData: keepPreviousData,
  });
}

/** Asks for one tool. Grants are for the configuration in force: on another, they could not be saved as they are. */
function explained(body: PreviewBody | null, toolId: string): Partial<PreviewBody> {
  const isInForce = body?.revision === undefined && body?.draft === undefined && body?.config === undefined;
  return { explain: [toolId], limit: PAGE, ...(isInForce && { grants: toolId }) };
}

/** The body of `POST /api/admin/preview/compare`. */
export interface ComparisonBody {
  readonly before: PreviewBody;
  readonly after: PreviewBody;
}

/** The differences of two previews, fetched after a pause in typing. */
export function useComparison(body: ComparisonBody | null): Answered<ComparisonOutput> {
  const { rested, isResting } = useRested(body);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["preview", "comparison", rested],
    queryFn: ({ signal }) =>
      request<ComparisonOutput>("/api/admin/preview/compare", { method: "POST", body: rested, signal }),
    enabled: rested !== null,
    placeholderData: keepPreviousData,
  });
  return { data, error, isOutdated: isPlaceholderData || !isResting };
}

/** The tokens of the manifest in every format, fetched while the menu is open. */
export function useManifestSizes(body: PreviewBody) {
  return useQuery({
    queryKey: ["preview", body, "sizes"],
    queryFn: async ({ signal }) => (await ask({ ...body, manifestSizes: true }, signal)).manifestSizes ?? null,
  });
}

/** A manifest as its caller's client would receive it. */
interface Manifest {
  /** JSON. */
  readonly text: string;
  readonly tokens: number;
  readonly notes: NonNullable<PreviewOutput["manifestNotes"]>;
}

/** The manifest in a vendor's format, rendered as for agents. */
export async function loadManifest(body: PreviewBody, format: ManifestFormat): Promise<Manifest> {
  const { manifest, manifestTokens = 0, manifestNotes = [] } = await ask({ ...body, manifest: format });
  return { text: JSON.stringify(manifest, null, 2), tokens: manifestTokens, notes: manifestNotes };
}

function ask(body: PreviewBody, signal?: AbortSignal): Promise<PreviewOutput> {
  return request<PreviewOutput>("/api/admin/preview", { method: "POST", body, signal });
}

/**
 * The value after it has not changed for a moment, and whether it still is the present one. Compares JSON, so that an
 * equal new object is no change.
 */
function useRested<T>(value: T | null): { rested: T | null; isResting: boolean } {
  const text = JSON.stringify(value);
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return { rested: JSON.parse(rested) as T | null, isResting: rested === text };
}
