import { AppError } from "@/lib/errors";
import type { ExecutionQuery } from "@/lib/contracts/log/execution";
import { isStatementTimeout } from "@/lib/store/db/translate";

/** Query keys that say how to show a list, not what to find. */
const SHOWN: ReadonlySet<string> = new Set(["sort", "limit", "cursor"]);

/**
 * Runs a search of the log. A combination of rare filters may read the whole log for one page. Then the database cancels
 * the search, and the error says how to narrow it.
 *
 * @throws AppError `invalid_request` for a search that takes too long; `config_unavailable`
 */
export async function searchInTime<T>(query: Partial<ExecutionQuery>, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isStatementTimeout(error) || !isNarrowed(query)) throw error;
    throw new AppError("invalid_request", "This search of the log takes too long.", {
      cause: error,
      errors: [{ path: "from", message: "choose a shorter time range or fewer filters, or try again later" }],
    });
  }
}

/** Whether the query has a filter. Without one, a timeout is the store's fault. */
function isNarrowed(query: object): boolean {
  return Object.entries(query).some(([name, value]) => value !== undefined && !SHOWN.has(name));
}
