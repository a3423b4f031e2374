import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { missingInWords } from "@/components/impact/impact-words";
import { validate } from "@/components/resource/editor/validate";
import { request } from "@/components/resource/request";
import { useDebounced } from "@/components/resource/use-debounced";
import { useValidationPaused } from "@/components/resource/validation-paused";
import type { ToolFlow } from "@/lib/access/model/flow";
import type { BulkInput } from "@/lib/contracts/changes/bulk";
import type { FlowImpactOutput } from "@/lib/contracts/decisions/flow-impact";
import type { OnCalls } from "@/lib/resources/impacts";

/** How long after the last key a draft is replayed. */
const DEBOUNCE_MS = 600;
/** Milliseconds between two looks at a replay that runs. */
const POLL_MS = 500;
/** A placeholder name for a draft without one. */
const UNNAMED = "unnamed-draft";

/** An unsaved row of flow; `id` null: a new one; `input` null: its deletion. */
interface FlowChange {
  readonly resource: OnCalls;
  readonly id: string | null;
  readonly input: (object & { readonly name?: string }) | null;
}

/** Unsaved answers to the guesses of tools, by id. */
interface FlowAnswer {
  readonly ids: readonly string[];
  readonly flow: ToolFlow;
}

/** The tools that would get a guess. */
interface FlowGuesses {
  readonly guess: BulkInput["rows"];
}

/** What logged calls are replayed under. */
export type FlowDraft = FlowChange | FlowAnswer | FlowGuesses;

/** A replay of logged calls under a draft, or what the draft still lacks. */
type Replayed =
  | { readonly kind: "replay"; readonly replay: FlowImpactOutput }
  | { readonly kind: "incomplete"; readonly missing: readonly string[] };

/** The replay of logged calls under a draft, read again until it has ended. `null`: nothing to replay. */
export function useFlowImpact(change: FlowDraft | null): UseQueryResult<Replayed> {
  const settled = useDebounced(change === null ? null : JSON.stringify(change), DEBOUNCE_MS);
  const text = useValidationPaused() ? null : settled;
  return useQuery({
    queryKey: ["flow-impact", text],
    queryFn: ({ signal }) => measure(JSON.parse(text ?? "null") as FlowDraft, signal),
    enabled: text !== null,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.kind === "replay" && data.replay.replay.state === "running" ? POLL_MS : false,
  });
}

async function measure(change: FlowDraft, signal: AbortSignal): Promise<Replayed> {
  if ("ids" in change) return replay({ answer: change }, signal);
  if ("guess" in change) return replay(change, signal);
  const { resource, id, input: draft } = change;
  const input = draft?.name === "" ? { ...draft, name: UNNAMED } : draft;
  const problems = input === null ? [] : await validate(resource, input);
  if (problems.length > 0) return { kind: "incomplete", missing: missingInWords(problems) };
  return replay({ resource, ...(id !== null && { id }), ...(input !== null && { input }) }, signal);
}

async function replay(body: object, signal: AbortSignal): Promise<Replayed> {
  const output = await request<FlowImpactOutput>("/api/admin/flow-impact", { method: "POST", body, signal });
  return { kind: "replay", replay: output };
}
