"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import type { SettingsInput } from "@/lib/resources/settings";

const ADDRESS = "/api/admin/settings";

/** The settings and the version that a save names; 0 = never changed. */
export type Versioned = SettingsInput & { readonly version: number };

/** The settings in force. They are not asked for again behind a draft's back: a conflict shows at the save. */
export function useSettings() {
  return useQuery({
    queryKey: ["settings"],
    queryFn: ({ signal }) => request<Versioned>(ADDRESS, { signal }),
    refetchOnWindowFocus: false,
  });
}

/** Replaces the settings whole, of the version that was looked at. */
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
