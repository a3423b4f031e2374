import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useId } from "react";
import { request } from "@/components/resource/request";
import type { FieldProblem } from "@/lib/errors";
import { useValidationPaused } from "@/components/resource/validation-paused";
import { useDebounced } from "@/components/resource/use-debounced";
import { validate, validateSettings } from "@/components/resource/editor/validate";
import type { ImpactOutput } from "@/lib/contracts/decisions/impact";
import type { OnCallers } from "@/lib/resources/impacts";

/** How long after the last key an impact is measured again. */
const DEBOUNCE_MS = 300;

/**
 * A change that is not saved: of one row (`id` null: a new one, or the settings; `input` null: its deletion), a document, or
 * the restore of a revision.
 */
export type ImpactChange =
  | { readonly resource: OnCallers; readonly id: string | null; readonly input: object | null }
  | { readonly resource: "document"; readonly config: string; readonly mode: "replace" | "merge" }
  | { readonly resource: "restore"; readonly revision: number };

/** The impact of a change, or what the draft still lacks. */
export type Measured =
  | { readonly kind: "impact"; readonly impact: ImpactOutput }
  | { readonly kind: "incomplete"; readonly problems: readonly FieldProblem[] };

/**
 * The impact of a change, measured after a pause in editing; the old answer stays meanwhile. `null`: nothing to measure.
 * With `withArguments`, checks logged arguments too; the audit trail records that.
 */
export function useImpact(change: ImpactChange | null, withArguments = false): UseQueryResult<Measured> {
  const settled = useDebounced(change === null ? null : JSON.stringify(change), DEBOUNCE_MS);
  const text = useValidationPaused() ? null : settled;
  const place = useId();
  return useQuery({
    queryKey: ["impact", place, text, withArguments],
    queryFn: ({ signal }) => measure(JSON.parse(text ?? "null") as ImpactChange, withArguments, signal),
    enabled: text !== null,
    placeholderData: keepPreviousData,
    // Valid only now: never shown again later, and never fetched again after the save.
    staleTime: "static",
    gcTime: 0,
  });
}

/** Measures a draft. Does not send a draft that its schema refuses, and reports what it lacks. */
export async function measure(change: ImpactChange, withArguments: boolean, signal?: AbortSignal): Promise<Measured> {
  const problems = await missingIn(change);
  if (problems.length > 0) return { kind: "incomplete", problems };
  const body = { ...bodyOf(change), ...(withArguments && { arguments: true }) };
  const impact = await request<ImpactOutput>("/api/admin/impact", { method: "POST", body, signal });
  return { kind: "impact", impact };
}

/** What a draft lacks. A document's plan has already checked the document. */
async function missingIn(change: ImpactChange): Promise<readonly FieldProblem[]> {
  if (change.resource === "document" || change.resource === "restore" || change.input === null) return [];
  return change.resource === "settings" ? validateSettings(change.input) : validate(change.resource, change.input);
}

function bodyOf(change: ImpactChange): object {
  if (change.resource === "document") return { config: change.config, mode: change.mode };
  if (change.resource === "restore") return { restores: change.revision };
  const { resource, id, input } = change;
  return { resource, ...(id !== null && { id }), ...(input !== null && { input }) };
}
