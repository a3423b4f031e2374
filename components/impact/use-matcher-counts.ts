import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { useDebounced } from "@/components/resource/use-debounced";
import { problemOfMatcher } from "@/lib/access/matching/compiled-matcher";
import type { MatcherCounts } from "@/lib/contracts/decisions/impact";
import type { PolicyInput } from "@/lib/resources/policy";

/** How long after the last key callers are counted again. */
const DEBOUNCE_MS = 300;

/** How many recent callers each condition of a draft holds for; conditions that are not complete have no count. */
export function useMatcherCounts(
  effect: PolicyInput["effect"],
  matchers: PolicyInput["matchers"],
): MatcherCounts | undefined {
  const complete = matchers.map((matcher) => (problemOfMatcher(matcher) === null ? matcher : null));
  const text = useDebounced(JSON.stringify({ effect, matchers: complete }), DEBOUNCE_MS);
  const { data } = useQuery({
    queryKey: ["impact", "matchers", text],
    queryFn: ({ signal }) =>
      request<MatcherCounts>("/api/admin/impact/matchers", { method: "POST", body: JSON.parse(text), signal }),
    enabled: complete.some((matcher) => matcher !== null),
    placeholderData: keepPreviousData,
  });
  return data;
}
