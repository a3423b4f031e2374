import { parseAsString, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { parseAsStated } from "@/components/resource/editor/parse-as-stated";
import { rangeMs } from "@/components/resource/filters/ranges";
import { useStable } from "@/components/resource/use-stable";

/** The state of a list in the URL: text, order, the peeked row, and the filters. */
export function useSeen(narrowing: readonly string[], sort = "") {
  const keys = narrowing.join();
  const parsers = useMemo(
    () => ({
      q: parseAsString.withDefault(""),
      sort: parseAsString.withDefault(sort),
      peek: parseAsStated,
      ...Object.fromEntries(
        keys
          .split(",")
          .filter(Boolean)
          .map((key) => [key, parseAsStated]),
      ),
    }),
    [keys, sort],
  );
  const [seen, setSeen] = useQueryStates(parsers, { history: "push" });
  const values: Readonly<Record<string, string | null>> = seen;
  // Typing changes only `q`: everything rendered from the filters stays.
  const chosen = useStable<Readonly<Record<string, string>>>(
    Object.fromEntries(narrowing.flatMap((key) => (typeof values[key] === "string" ? [[key, values[key]]] : []))),
  );
  return { seen, setSeen, chosen };
}

/** The API query of the state. A range such as "the last hour" becomes its start time now. */
export function toApiQuery(
  { q, range, ...rest }: Readonly<Record<string, string>>,
  now: number,
): Record<string, string> {
  const length = rangeMs(range);
  return {
    ...rest,
    ...(q !== undefined && q !== "" && { q }),
    ...(length !== undefined && { from: new Date(now - length).toISOString() }),
  };
}
