import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { adminPath, request } from "@/components/resource/request";
import { planOf, type DocumentInput } from "@/components/configuration/use-apply";
import type { NOTICE_QUERY } from "@/components/resource/detail/notices";
import { toastFailure } from "@/components/resource/review/toast-failure";
import { useGet } from "@/components/resource/use-get";
import type {
  AgentUse,
  CandidateDraft,
  CandidateOutput,
  RightsizingDetail,
  RightsizingPage,
} from "@/lib/contracts/decisions/rightsizing";

const WINDOWS = ["30", "90", "365"] as const;

/** A window in days, as text. */
export type Window = (typeof WINDOWS)[number];

/** The windows that a person can choose. */
export const WINDOW_CHOICES = WINDOWS.map((value) => ({ value, label: `${value} days` }));

/** Milliseconds between two looks at a replay that runs. */
const POLL_MS = 1_000;

/** The window in the page's address. */
export function useWindow() {
  return useQueryState("days", parseAsStringLiteral(WINDOWS).withDefault("90"));
}

/** Policies by their unused tools. */
export function useRightsizing(query: Readonly<Record<string, string>>, options: Partial<typeof NOTICE_QUERY> = {}) {
  return useGet<RightsizingPage>(
    ["rightsizing", query],
    `/api/admin/rightsizing?${new URLSearchParams(query)}`,
    options,
  );
}

/** One policy with its candidates. Reads again until the replay has ended. */
export function usePolicyUse(policy: string, days: Window) {
  return useGet<RightsizingDetail>(
    ["rightsizing", "policy", policy, days],
    `${adminPath("rightsizing", policy)}?days=${days}`,
    {
      refetchInterval: ({ state }) => (state.data?.replay.state === "running" ? POLL_MS : false),
    },
  );
}

/** How many of its tools an agent uses. */
export function useAgentUse(agent: string) {
  return useGet<AgentUse>(["rightsizing", "agent", agent], adminPath("agents", agent, "use"));
}

/** Plans the save of a draft, for its warnings. Saves nothing. */
export function useDraftPlan(document: DocumentInput) {
  return useQuery({
    queryKey: ["rightsizing", "plan", document.text],
    queryFn: ({ signal }) => planOf(document, signal),
  });
}

/** Reads a candidate as a document. */
export function useDraft(policy: string, days: Window) {
  return useMutation({
    mutationFn: (candidate: CandidateOutput["kind"]) =>
      request<CandidateDraft>(adminPath("rightsizing", policy, "draft"), {
        method: "POST",
        body: { candidate, days: Number(days) },
      }),
    onError: (error) => toastFailure("The draft was not opened", error),
  });
}

/** Marks tools of a policy to keep; without a reason, removes the marks. */
export function useKeep(policy: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { tools: readonly string[]; reason: string | null }) =>
      request<undefined>(adminPath("rightsizing", policy, "keep"), { method: "PUT", body }),
    onSuccess: async () => {
      onDone();
      await client.invalidateQueries({ queryKey: ["rightsizing"] });
    },
  });
}
