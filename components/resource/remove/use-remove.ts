"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { showWarnings, type Saved } from "@/components/resource/editor/saved";
import type { ResourceName } from "@/lib/resources";

/** Deletes one row at the revision that the person saw. */
export function useRemove(resource: ResourceName) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, revision }: { id: string; revision: number }) =>
      request<Saved<object> | undefined>(`/api/admin/${resource}/${encodeURIComponent(id)}`, {
        method: "DELETE",
        ifMatch: revision,
      }),
    onSuccess: (answer, { id }) => {
      showWarnings(answer?.warnings);
      client.removeQueries({ queryKey: [resource, "row", id] });
      return client.invalidateQueries({ queryKey: [resource, "list"] });
    },
  });
}
