"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { SettingsInput } from "@/lib/resources/settings";

const ADDRESS = "/api/admin/settings";

/** The settings and the version that a save names; 0 = never changed. */
export type Versioned = SettingsInput & { readonly version: number };

/** The settings in force. Not refetched during an edit: a save reports a conflict. */
export function useSettings() {
  return useQuery({
    queryKey: ["settings"],
    queryFn: ({ signal }) => request<Versioned>(ADDRESS, { signal }),
    refetchOnWindowFocus: false,
  });
}

/** Replaces the whole settings, at the version that the person saw. */
export function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ settings, version }: { settings: SettingsInput; version: number }) =>
      request<Versioned>(ADDRESS, { method: "PUT", body: settings, ifMatch: version }),
    onSuccess: (saved) => {
      client.setQueryData(["settings"], saved);
      return client.invalidateQueries({ refetchType: "active" });
    },
  });
}
