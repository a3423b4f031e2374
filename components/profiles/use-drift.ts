import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { pageQuery } from "@/components/resource/list/page-query";
import { adminPath, request } from "@/components/resource/request";
import { counted } from "@/components/ui/counted";
import { toast } from "@/components/ui/overlays/toast";
import type {
  ProfileDriftAccepted,
  ProfileDriftAcceptance,
  ProfileDriftRow,
} from "@/lib/contracts/decisions/profile-drift";

/** The tools that wait in a profile, page by page. */
export function useDrift(profile: string) {
  const list = useInfiniteQuery({
    ...pageQuery<ProfileDriftRow>(["profiles", "drift", profile], adminPath("profiles", profile, "drift")),
    staleTime: 0,
  });
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  return { ...list, rows, total: list.data?.pages[0]?.total ?? 0 };
}

/** Accepts definitions, and then refetches everything that shows tools. */
export function useAccept(profile: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ProfileDriftAcceptance) =>
      request<ProfileDriftAccepted>(adminPath("profiles", profile, "drift", "accept"), { method: "POST", body }),
    onSuccess: async ({ accepted }) => {
      toast({ title: `Accepted ${counted(accepted, "tool")} for ${profile}` });
      onDone();
      await client.invalidateQueries();
    },
    // The shown definitions may be outdated, so refetch them.
    onError: () => client.invalidateQueries({ queryKey: ["profiles"] }),
  });
}
