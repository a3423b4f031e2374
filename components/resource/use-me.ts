import { useGet } from "@/components/resource/use-get";
import type { Me } from "@/lib/contracts/people/me";

/** The signed-in person; `undefined` while loading. */
export function useMe(): Me | undefined {
  return useGet<Me>(["me"], "/api/admin/me", {
    staleTime: "static",
  }).data;
}
