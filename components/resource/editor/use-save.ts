import { useMutation, useQueryClient } from "@tanstack/react-query";
import { refetchAfter } from "@/components/resource/query-client";
import { adminPath, request } from "@/components/resource/request";
import { showWarnings, type Saved } from "@/components/resource/editor/saved";
import type { Input, ResourceName, Row } from "@/lib/resources";
import { KINDS } from "@/lib/resources/kinds";

export interface Save<R extends ResourceName> {
  readonly input: Input<R>;
  /** The row to replace, at the revision that the edit is based on. Absent: creates a row. */
  readonly replaces?: { readonly id: string; readonly revision: number };
  /** Why, for the second person who may have to approve the change. */
  readonly reason?: string;
}

/** Options of a save with a reason. The form that asked for the reason also shows the change request. */
const reviewOptions = (reason: string | undefined) => (reason === undefined ? {} : { reason, showsHeld: true });

/** Creates or replaces a row, and then refetches everything that the page shows. */
export function useSave<R extends ResourceName>(resource: R) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ input, replaces, reason }: Save<R>): Promise<Row<R>> => {
      const { warnings, ...row } = await (replaces === undefined
        ? request<Saved<Row<R>>>(`/api/admin/${resource}`, { method: "POST", body: input, ...reviewOptions(reason) })
        : request<Saved<Row<R>>>(`${adminPath(resource, replaces.id)}?followRename=true`, {
            method: "PUT",
            body: input,
            ifMatch: replaces.revision,
            ...reviewOptions(reason),
          }));
      showWarnings(warnings);
      return row as Row<R>;
    },
    onSuccess: (row, { replaces }) => {
      const isRenamed = replaces !== undefined && Reflect.get(row, KINDS[resource].id) !== replaces.id;
      return refetchAfter(client, resource, isRenamed ? replaces.id : null);
    },
  });
}
