import { useQuery } from "@tanstack/react-query";
import { useGet } from "@/components/resource/use-get";
import { request } from "@/components/resource/request";
import { useCan } from "@/components/resource/who";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import type { Page } from "@/lib/contracts/changes/list";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

/** Milliseconds between two polls for the first call, because a person waits for it. */
const CALLS_POLL_MS = 2_000;

interface Named {
  readonly name: string;
}

/**
 * What a first call needs, as far as it exists: tools, groups, policies, an agent and a key; `undefined` while loading.
 */
export function useBeginnings() {
  const tools = useFirst<{ readonly source: string }>("tools", { enabled: "true", status: "active" });
  const groups = useFirst<Named>("groups");
  const policies = useFirst<Named>("policies", { effect: "allow", active: "true" });
  const agents = useFirst<Named>("agents", { enabled: "true", sort: "-createdAt" });
  const agent = agents.data?.items[0]?.name;
  // Without the permission to read keys, the first call shows that a key exists.
  const mayReadKeys = useCan("keys:read");
  const keys = useFirst<Named>("api-keys", { enabled: "true", ...(agent !== undefined && { agent }) }, mayReadKeys);
  const seen = useSeenBy(agent);
  const call = useFirstCall(agent);
  const known = [tools, groups, policies, agents, ...(mayReadKeys ? [keys] : [])];
  return {
    tools: tools.data,
    groups: groups.data,
    policies: policies.data,
    agent,
    /** The agent's keys; `null` without the permission to read them. */
    keys: !mayReadKeys ? null : agent === undefined ? { total: 0, items: [] } : keys.data,
    seen: seen.data,
    ...call,
    isPending: known.some(({ isPending }) => isPending),
    error: known.find(({ isLoadingError }) => isLoadingError)?.error ?? null,
  };
}

/** The first row of a list, and how many there are. */
function useFirst<T>(list: string, filters: Readonly<Record<string, string>> = {}, enabled = true) {
  return useGet<Page<T>>(
    [list, "first", filters],
    `/api/admin/${list}?${new URLSearchParams({ ...filters, limit: "1" })}`,
    {
      enabled,
      staleTime: 0,
    },
  );
}

/** Which tools an agent gets, by the resolver that decides its calls. Nobody reads the hidden ones here. */
function useSeenBy(agent: string | undefined) {
  return useQuery({
    queryKey: ["preview", "first", agent],
    queryFn: ({ signal }) =>
      request<PreviewOutput>("/api/admin/preview", { method: "POST", body: { agent, limit: 1 }, signal }),
    enabled: agent !== undefined,
    staleTime: 0,
  });
}

/** An agent's first allowed call and its latest call. Polls until the first one arrives. */
function useFirstCall(agent: string | undefined) {
  const calls = (filters: Readonly<Record<string, string>>) => ({
    queryKey: ["executions", "first", agent, filters],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      request<Page<ExecutionRow>>(
        `/api/admin/executions?${new URLSearchParams({ agent: agent ?? "", ...filters, limit: "1" })}`,
        { signal },
      ),
    enabled: agent !== undefined,
    staleTime: 0,
  });
  const allowed = useQuery({
    ...calls({ status: "succeeded", sort: "at" }),
    refetchInterval: ({ state }) => ((state.data?.items.length ?? 0) > 0 ? false : CALLS_POLL_MS),
  });
  const done = allowed.data?.items[0];
  const latest = useQuery({ ...calls({}), refetchInterval: done === undefined ? CALLS_POLL_MS : false });
  return { call: done, latest: latest.data?.items[0] };
}
