import { useMutation, useQueryClient, type Query } from "@tanstack/react-query";
import { adminPath, request } from "@/components/resource/request";
import { showWarnings, type Saved } from "@/components/resource/editor/saved";
import type { Input, ResourceName, Row } from "@/lib/resources";

/** A save: a new row, or a replacement based on a revision. */
export interface Save<R extends ResourceName> {
  readonly input: Input<R>;
  /** Absent: create. */
  readonly replaces?: { readonly id: string; readonly revision: number };
  /** For a second person, if the change waits. */
  readonly reason?: string;
}

/** A caller that states a reason has asked for it, and shows the request itself. */
const review = (reason: string | undefined) => (reason === undefined ? {} : { reason, showsHeld: true });

/** Creates or replaces a row, and then refetches every list of the resource. */
export function useSave<R extends ResourceName>(resource: R) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ input, replaces, reason }: Save<R>): Promise<Row<R>> => {
      const { warnings, ...row } = await (replaces === undefined
        ? request<Saved<Row<R>>>(`/api/admin/${resource}`, { method: "POST", body: input, ...review(reason) })
        : request<Saved<Row<R>>>(`${adminPath(resource, replaces.id)}?followRename=true`, {
            method: "PUT",
            body: input,
            ifMatch: replaces.revision,
            ...review(reason),
          }));
      showWarnings(warnings);
      return row as Row<R>;
    },
    // A change of one resource shows in others too (members, usages): nothing remembered stays fresh.
    // A renamed row no longer exists under its old name, so queries of that name are dropped.
    onSuccess: (row, { replaces }) => {
      const gone = replaces !== undefined && !Object.values(row).includes(replaces.id) ? replaces.id : null;
      const predicate = ({ queryKey }: Query) => gone === null || !queryKey.includes(gone);
      return client.invalidateQueries({ refetchType: "active", predicate });
    },
  });
}
