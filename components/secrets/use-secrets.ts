import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useGet } from "@/components/resource/use-get";
import { adminPath, request } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";
import type { Page } from "@/lib/contracts/changes/list";
import type { SecretInput, SecretRow } from "@/lib/resources/secret";

/** Secrets by name, without their values, where a form picks from them. */
export function useSecrets() {
  return useGet(["secrets", "names"], "/api/admin/secrets?limit=500", {
    select: ({ items }: Page<SecretRow>) => items,
  });
}

export function useSecret(name: string) {
  return useGet<SecretRow>(["secrets", "row", name], adminPath("secrets", name));
}

/** Sets a secret at the revision that the person saw (0 = only a new one), and then refetches everything that warns of unknown ones. */
export function useSetSecret(onDone: (secret: SecretRow) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, revision, ...body }: SecretInput & Pick<SecretRow, "name" | "revision">) =>
      request<SecretRow>(adminPath("secrets", name), { method: "PUT", body, ifMatch: revision }),
    onSuccess: async (secret) => {
      toast({ title: `Set secret ${secret.name}` });
      onDone(secret);
      await client.invalidateQueries();
    },
    // Another person may have changed the secret: it opens again with their origins.
    onError: () => client.invalidateQueries({ queryKey: ["secrets"] }),
  });
}

/** Deletes a secret that no source uses. */
export function useDeleteSecret(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => request<void>(adminPath("secrets", name), { method: "DELETE" }),
    onSuccess: async (_nothing, name) => {
      toast({ title: `Deleted secret ${name}` });
      onDone();
      // A page that still shows the deleted secret must not fetch it again.
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== "row" || queryKey[2] !== name });
    },
  });
}
