"use client";

import { useMutation, useQueryClient, type Query } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { tellWarnings, type Saved } from "@/components/resource/editor/saved";
import type { Input, ResourceName, Row } from "@/lib/resources";

/** What to save: a new one, or a replacement of the revision that was looked at. */
export interface Save<R extends ResourceName> {
  readonly input: Input<R>;
  /** Absent: create. */
  readonly replaces?: { readonly id: string; readonly revision: number };
}

/** Creates or replaces; every list of the resource is asked again afterwards. */
export function useSave<R extends ResourceName>(resource: R) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ input, replaces }: Save<R>): Promise<Row<R>> => {
      const { warnings, ...row } = await (replaces === undefined
        ? request<Saved<Row<R>>>(`/api/admin/${resource}`, { method: "POST", body: input })
        : request<Saved<Row<R>>>(`/api/admin/${resource}/${encodeURIComponent(replaces.id)}`, {
            method: "PUT",
            body: input,
            ifMatch: replaces.revision,
          }));
      tellWarnings(warnings);
      return row as Row<R>;
    },
    // A change of one resource shows in others too (members, usages): nothing remembered stays fresh.
    // But for what was asked of a row that has another name now: there is nothing under the old one.
    onSuccess: (row, { replaces }) => {
      const gone = replaces !== undefined && !Object.values(row).includes(replaces.id) ? replaces.id : null;
      const predicate = ({ queryKey }: Query) => gone === null || !queryKey.includes(gone);
      return client.invalidateQueries({ refetchType: "active", predicate });
    },
  });
}
