import type { Configuration, JsonObject } from "@/lib/access/model/configuration";
import type {
  FunnelStep,
  GroupTrace,
  MatcherTrace,
  PolicyTrace,
  Reason,
  ResolveRequest,
  RoutingMode,
  Step,
  Via,
} from "@/lib/access/decide/resolution";

/** The input of a decision, for both resolvers. */
export interface Question {
  readonly configuration: Configuration;
  readonly request: ResolveRequest;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A call whose arguments are judged, in addition to the question. */
export interface Call {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/**
 * One resolver's complete answer in a shape that fits oracle and core. Agreement is then one deep comparison, and a
 * case can name any part.
 */
export interface Seen {
  /** Tool ids in output order. */
  readonly visible: readonly string[];
  readonly exposedNames: Readonly<Record<string, string>>;
  readonly notCallable: readonly string[];
  readonly conditional: readonly string[];
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly via: Readonly<Record<string, readonly Via[]>>;
  /** Visible tools: every "policy grants group" whose removal is needed to hide the tool, sorted. */
  readonly grants: Readonly<Record<string, readonly string[]>>;
  readonly hidden: Readonly<Record<string, Reason>>;
  readonly decidedBy: Readonly<Record<string, Step>>;
  /** All tools: every failing step, in order, with its reason. */
  readonly failing: Readonly<Record<string, readonly (readonly [Step, Reason])[]>>;
  readonly missingCapabilities: Readonly<Record<string, readonly string[]>>;
  /** Hidden tools: the size of the smallest fix. */
  readonly fixes: Readonly<Record<string, number>>;
  /** Hidden tools: the group that the smallest fix names, if it names one. */
  readonly fixGroups: Readonly<Record<string, string>>;
  /** The state after a successful call of each tool. */
  readonly next: Readonly<Record<string, string>>;
  readonly grantedGroups: readonly string[];
  readonly requestedGroups: readonly string[];
  readonly unknownGroups: readonly string[];
  readonly state: string;
  readonly machine: string | null;
  readonly profiles: readonly string[];
  readonly mode: RoutingMode;
  readonly tier: readonly string[] | null;
  readonly matchedPolicies: readonly string[];
  readonly requestable: readonly string[];
  readonly policies: readonly SeenPolicy[];
  readonly groupTraces: readonly Omit<GroupTrace, "error">[];
  readonly funnel: readonly FunnelStep[];
  /** For each call: the refusing deny's name, `"no allow"` (also for a hidden tool), or `null` when allowed. */
  readonly refusals: readonly (string | null)[];
}

/** One policy in a trace. Matchers of a policy that does not apply are not compared. */
export interface SeenPolicy {
  readonly name: string;
  readonly skipped: PolicyTrace["skipped"];
  readonly matched: boolean;
  readonly matchers: readonly Pick<MatcherTrace, "outcome" | "held">[];
}

/** A record over tools, without tools that have no value. */
export function recordOf<Row, Value>(
  rows: readonly Row[],
  key: (row: Row) => string,
  value: (row: Row) => Value | undefined,
): Readonly<Record<string, Value>> {
  const entries = rows.map((row) => [key(row), value(row)] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, Value] => entry[1] !== undefined));
}
