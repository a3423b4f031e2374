import * as fc from "fast-check";
import type { Configuration } from "@/lib/access/model/configuration";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { callArguments, claims, NOW } from "@/test/access/claim-worlds";
import { configurations } from "@/test/access/configuration-worlds";
import { GROUPS, INTENTS, LABELS, PROFILES, STATES, pick, rarely, some, usually } from "@/test/access/pools";
import type { Call, Question } from "@/test/access/seen";

/** A question with calls to judge. Everything is drawn from small shared pools, so that rules refer to each other. */
export interface World extends Question {
  readonly calls: readonly Call[];
}

/** A request that the configuration can answer: its machine exists. */
export const requestsTo = ({ machines: known }: Configuration): fc.Arbitrary<ResolveRequest> =>
  fc.record({
    claims,
    agent: pick([null, "bot", "other"]),
    group: usually(
      pick<string[] | null>([null, null, ["*"]]),
      fc.oneof(
        some([...GROUPS, "default", "*"], 4),
        pick([[], ["A"], ["(ungrouped)"], ["unheard-of", "a", "unheard-of"]]),
      ),
      4,
    ),
    state: usually(fc.constant<string | null>(null), pick(["", ...STATES, "elsewhere"]), 3),
    machine: pick([null, ...known.map(({ name }) => name)]),
    profiles: usually(fc.constant<string[]>([]), some<string>(PROFILES, 2), 3),
    capabilities: usually(pick([["*"], []]), some(["files.*", "files.read", "db:*", "files", "file*", "*"], 2), 1),
    intent: usually(fc.constant<string | null>(null), pick(["FIND", ...INTENTS, "NOPE"]), 1),
    confidence: pick([null, 0, 0.3, 0.6, 0.79, 0.8, 0.9, 1]),
    escalated: rarely(6),
    labels: usually(some<string>([...LABELS, "unheard-of"], 3), fc.constant<string[]>([]), 2),
    includeDisabled: rarely(6),
  });

/** The first request with one field of the other: such requests must not share a cache entry. */
export function oneFieldAway(first: ResolveRequest, other: ResolveRequest): readonly ResolveRequest[] {
  const fields = Object.keys(first) as (keyof ResolveRequest)[];
  return fields.map((field) => ({ ...first, [field]: other[field] }));
}

/** `NOW`, or a little later: enough for validity and durations to change. */
export const times: fc.Arbitrary<number> = usually(
  fc.constant(NOW),
  pick([NOW + 1, NOW + 3_600_000, NOW + 86_400_000]),
  3,
);

/** A configuration, a request to it, a time, and calls of its tools. */
export const worlds: fc.Arbitrary<World> = configurations.chain((configuration) =>
  fc.record({
    configuration: fc.constant(configuration),
    request: requestsTo(configuration),
    now: times,
    calls:
      configuration.tools.length === 0
        ? fc.constant<never[]>([])
        : fc.array(fc.record({ tool: pick(configuration.tools.map(({ id }) => id)), arguments: callArguments }), {
            maxLength: 3,
          }),
  }),
);
