import { useMutation, useQueryClient } from "@tanstack/react-query";
import { adminPath, request } from "@/components/resource/request";
import { useGet } from "@/components/resource/use-get";
import { toast } from "@/components/ui/overlays/toast";
import type { Page } from "@/lib/contracts/changes/list";
import type { LinkedAccountRow, LinkEnded, LinkStatus } from "@/lib/contracts/people/linked-account";
import type { SourceRow } from "@/lib/resources/source";

/** Whether the person has linked an account of a source, and where they would sign in. */
export function useLinkStatus(source: string) {
  return useGet<LinkStatus>(["linked-accounts", "status", source], adminPath("linked-accounts", source));
}

export function useLinkedAccount(source: string, person: string) {
  const query = new URLSearchParams({ source, person });
  return useGet(["linked-accounts", "row", source, person], `/api/admin/linked-accounts?${query}`, {
    select: ({ items }: Page<LinkedAccountRow>) => items[0] ?? null,
  });
}

/** The names of the sources whose users sign in themselves. */
export function useLinkableSources() {
  return useGet(["sources", "linkable"], "/api/admin/sources?limit=500&enabled=true", {
    select: ({ items }: Page<SourceRow>) => items.filter(({ auth }) => auth.mode === "user"),
  });
}

/** Leaves for the upstream's sign-in, which leads back here. */
export function useStartLink(source: string) {
  return useMutation({
    mutationFn: () =>
      request<{ url: string }>(adminPath("linked-accounts", source, "start"), { method: "POST", body: {} }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}

const ENDED: Readonly<Record<LinkEnded["upstream"], string>> = {
  revoked: "The upstream has revoked its tokens",
  not_offered: "The upstream does not support revocation. Remove the access of Quartermaster there too",
  later: "The upstream did not answer. Quartermaster retries the revocation for a day",
};

/** Ends a linked account of a source: that of the reader, or that of `person`. */
export function useEndLink(source: string, person: string | null = null) {
  const client = useQueryClient();
  const query = person === null ? "" : `?${new URLSearchParams({ person })}`;
  return useMutation({
    mutationFn: () => request<LinkEnded>(`${adminPath("linked-accounts", source)}${query}`, { method: "DELETE" }),
    onSuccess: async ({ upstream }) => {
      const title = person === null ? "Unlinked your account" : `Unlinked the account of ${person}`;
      toast({ title, description: ENDED[upstream] });
      await client.invalidateQueries();
    },
  });
}
