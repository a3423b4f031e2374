import { canonicalText } from "@/lib/access/model/canonical";
import {
  ALL,
  UNGROUPED,
  type Intent,
  type Json,
  type JsonObject,
  type RoutingSettings,
} from "@/lib/access/model/configuration";
import { isList } from "@/lib/access/model/json";
import { byCodeUnit } from "@/lib/access/model/scalars";
import type { ResolveRequest, RoutingMode } from "@/lib/access/decide/resolution";

/** What routing keeps; `groups` is `null` when routing keeps everything. */
export interface Tier {
  readonly mode: RoutingMode;
  /** Sorted names. The tools of these groups are kept, even when a group is inactive or not granted. */
  readonly groups: readonly string[] | null;
}

/** The intent that never narrows. */
const UNKNOWN_INTENT = "UNKNOWN";

const FULL: Tier = { mode: "full", groups: null };

/**
 * Chooses the tier (docs/reference/decision.md#tier). Below `medium` confidence it narrows nothing, except in strict mode.
 */
export function routeTier(
  intents: ReadonlyMap<string, Intent>,
  settings: RoutingSettings,
  request: Pick<ResolveRequest, "intent" | "confidence" | "escalated">,
): Tier {
  if (request.intent === null || request.escalated || request.intent === UNKNOWN_INTENT) return FULL;
  const intent = intents.get(request.intent);
  if (intent === undefined || intent.groups.includes(ALL)) return FULL;
  const confidence = request.confidence ?? 0;
  if (confidence >= settings.high)
    return {
      mode: intent.groups.length === 0 ? "none" : "restricted",
      groups: sorted(intent.groups, settings.alwaysGroups),
    };
  if (confidence >= settings.medium || settings.mode === "strict")
    return {
      mode: "restricted_with_resolution",
      groups: sorted(intent.groups, settings.alwaysGroups, settings.resolutionGroups),
    };
  return FULL;
}

function sorted(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].filter((name) => name !== UNGROUPED).toSorted(byCodeUnit);
}

/** One call of a session, with the facts that show progress. */
export interface Attempt {
  readonly tool: string;
  readonly arguments: Json;
  readonly failed: boolean;
  /** `null` when the call failed or returned nothing. */
  readonly output: Json;
}

/**
 * True when a session makes no progress (docs/reference/decision.md#tier); `attempts` oldest first. The last three
 * calls are identical, or each of the last two failed or returned nothing.
 */
export function noProgress(attempts: readonly Attempt[]): boolean {
  const fruitless = (attempt: Attempt): boolean => attempt.failed || isEmptyResult(attempt.output);
  const lastThree = attempts.slice(-3);
  if (attempts.length >= 2 && attempts.slice(-2).every(fruitless)) return true;
  return (
    lastThree.length === 3 &&
    new Set(lastThree.map((attempt) => canonicalText([attempt.tool, attempt.arguments]))).size === 1
  );
}

const RESULT_KEYS = ["results", "rows", "items", "events", "data"];

/** An error, an empty list or object, a result list of length 0, or `count` 0. */
export function isEmptyResult(output: Json): boolean {
  if (output === null || output === "") return true;
  if (typeof output !== "object") return false;
  if (isBlank(output)) return true;
  if (isList(output)) return false;
  if (output["count"] === 0 || isError(output)) return true;
  return RESULT_KEYS.some((key) => {
    const value = Object.hasOwn(output, key) ? output[key] : undefined;
    return (typeof value === "string" || (typeof value === "object" && value !== null)) && isBlank(value);
  });
}

/** `{"error": …}`: the call succeeded, but its answer reports an error and no result. */
function isError(output: JsonObject): boolean {
  const error = Object.hasOwn(output, "error") ? output["error"] : null;
  return error !== null && error !== undefined && error !== false && error !== "" && error !== 0;
}

/** An empty text, list or object. */
function isBlank(value: string | readonly Json[] | JsonObject): boolean {
  // `Object.keys` of a text lists every character: millions for a large file.
  if (typeof value === "string" || isList(value)) return value.length === 0;
  return Object.keys(value).length === 0;
}
