import { useQuery, type QueryKey, type UseQueryOptions } from "@tanstack/react-query";
import { request } from "@/components/resource/request";

type Options<T, Selected> = Omit<UseQueryOptions<T, Error, Selected>, "queryKey" | "queryFn">;

/** Reads an address of the admin API into the cache under a key. React Query aborts the request when nothing shows it. */
export function useGet<T, Selected = T>(
  queryKey: QueryKey,
  path: `/api/${string}`,
  options: Options<T, Selected> = {},
) {
  return useQuery({ queryKey, queryFn: ({ signal }) => request<T>(path, { signal }), ...options });
}
