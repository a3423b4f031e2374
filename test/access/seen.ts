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

/** A decision to be made: what both resolvers are asked. */
export interface Question {
  readonly configuration: Configuration;
  readonly request: ResolveRequest;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A call to be judged by its arguments, besides the question. */
export interface Call {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/**
 * One resolver's whole answer to a question, in a shape that both the oracle and the core can be
 * put into, so that "they agree" is one deep comparison and a case can name any part.
 */
export interface Seen {
  /** Tool ids in output order. */
  readonly visible: readonly string[];
  readonly exposedNames: Readonly<Record<string, string>>;
  readonly notCallable: readonly string[];
  readonly conditional: readonly string[];
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly via: Readonly<Record<string, readonly Via[]>>;
  /** Of visible tools: every "policy grants group" that would have to go to hide it, sorted. */
  readonly grants: Readonly<Record<string, readonly string[]>>;
  readonly hidden: Readonly<Record<string, Reason>>;
  readonly decidedBy: Readonly<Record<string, Step>>;
  /** Every step that fails, in order, with its reason; of every tool of the catalogue. */
  readonly failing: Readonly<Record<string, readonly (readonly [Step, Reason])[]>>;
  readonly missingCapabilities: Readonly<Record<string, readonly string[]>>;
  /** Size of the smallest fix of every hidden tool. */
  readonly fixes: Readonly<Record<string, number>>;
  /** The state after each tool succeeds. */
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
  readonly policies: readonly SeenPolicy[];
  readonly groupTraces: readonly Omit<GroupTrace, "error">[];
  readonly funnel: readonly FunnelStep[];
  /** Each call asked about: the refusing deny's name, `"no allow"` (a hidden tool too), or `null` when allowed. */
  readonly refusals: readonly (string | null)[];
}

/** One policy in a trace. Matchers of a policy that is not in force are not compared. */
export interface SeenPolicy {
  readonly name: string;
  readonly skipped: PolicyTrace["skipped"];
  readonly matched: boolean;
  readonly matchers: readonly Pick<MatcherTrace, "outcome" | "held">[];
}

/** A record over tools that leaves out those a value is not given for. */
export function recordOf<Row, Value>(
  rows: readonly Row[],
  key: (row: Row) => string,
  value: (row: Row) => Value | undefined,
): Readonly<Record<string, Value>> {
  const entries = rows.map((row) => [key(row), value(row)] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, Value] => entry[1] !== undefined));
}
