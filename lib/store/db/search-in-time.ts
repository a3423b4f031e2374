import { AppError } from "@/lib/errors";
import type { ExecutionQuery } from "@/lib/contracts/log/execution";
import { isGivenUp, translate } from "@/lib/store/db/translate";

/** What of a query says how a list is shown, not what is looked for. */
const SHOWN: ReadonlySet<string> = new Set(["sort", "limit", "cursor"]);

/**
 * Runs a search of the log. Filters that are each rare, and rarer together, may lead through all of it for one page: then
 * the database gives the search up, and whoever asked is told how to ask for less.
 *
 * @throws AppError `invalid_request` for a search that takes too long; `config_unavailable`
 */
export async function searchInTime<T>(query: Partial<ExecutionQuery>, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isGivenUp(error) || !isNarrowed(query)) throw translate(error);
    throw new AppError("invalid_request", "This search of the log takes too long.", {
      cause: error,
      errors: [{ path: "from", message: "state a shorter time, or fewer filters; or try again when less goes on" }],
    });
  }
}

/** A list of everything that takes too long is the store's fault. */
function isNarrowed(query: object): boolean {
  return Object.entries(query).some(([name, value]) => value !== undefined && !SHOWN.has(name));
}
