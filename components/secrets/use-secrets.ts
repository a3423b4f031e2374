"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { toast } from "@/components/ui/toast";
import type { SecretInput, SecretRow } from "@/lib/resources/secret";

const ADDRESS = "/api/admin/secrets";

/** Every secret by name, without its value. */
export function useSecrets() {
  return useQuery({
    queryKey: ["secrets"],
    queryFn: async ({ signal }) => (await request<{ items: readonly SecretRow[] }>(ADDRESS, { signal })).items,
  });
}

/** Sets a secret; whatever warns of unknown ones is asked again. */
export function useSetSecret(onDone: (secret: SecretRow) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, ...body }: SecretInput & { name: string }) =>
      request<SecretRow>(`${ADDRESS}/${encodeURIComponent(name)}`, { method: "PUT", body }),
    onSuccess: async (secret) => {
      toast({ title: `Set secret ${secret.name}` });
      onDone(secret);
      await client.invalidateQueries();
    },
  });
}

/** Deletes a secret that no source uses. */
export function useDeleteSecret(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => request<void>(`${ADDRESS}/${encodeURIComponent(name)}`, { method: "DELETE" }),
    onSuccess: async (_nothing, name) => {
      toast({ title: `Deleted secret ${name}` });
      onDone();
      await client.invalidateQueries();
    },
  });
}
