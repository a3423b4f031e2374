"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";
import type { LogMonths } from "@/lib/contracts/log/retention";

const ADDRESS = "/api/admin/executions/archives";
const MONTHS = ["executions", "archives"] as const;
/** Milliseconds between two polls of an archive's progress. */
const POLL_MS = 2_000;

/** The months of the log. Polls while a month is being archived. */
export function useMonths() {
  return useQuery({
    queryKey: MONTHS,
    queryFn: ({ signal }) => request<LogMonths>(ADDRESS, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.months.some(({ archiving }) => archiving?.status === "asked" || archiving?.status === "running")
        ? POLL_MS
        : false,
  });
}

/** Requests an archive of a month. */
export function useArchive() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (month: string) => request(ADDRESS, { method: "POST", body: { month } }),
    onError: (error) => toast({ title: error.message }),
    onSettled: () => client.invalidateQueries({ queryKey: MONTHS }),
  });
}
