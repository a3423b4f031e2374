import * as fc from "fast-check";

// Small shared pools of values for worlds: there are few names, so that rules often refer to each other.

/** One of some values. */
export const pick = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
/** Usually the first value, sometimes the other. */
export const usually = <Usual, Other>(
  usual: fc.Arbitrary<Usual>,
  other: fc.Arbitrary<Other>,
  times = 5,
): fc.Arbitrary<Usual | Other> => fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: other });
/** Some of the values, each at most once. */
export const some = <Value>(values: readonly Value[], most: number) =>
  fc.uniqueArray(pick(values), { maxLength: most });
/** True once in so many times. */
export const rarely = (times: number) => usually(fc.constant(false), fc.constant(true), times);

export const SOURCES = ["x", "builtin", "subagent", "a2a"] as const;
export const OPERATIONS = ["search", "read_file", "cancel_scheduled_task", "mcp_register_server", "Search2"] as const;
export const TOOL_IDS = SOURCES.flatMap((source) => OPERATIONS.map((operation) => `${source}:${operation}`));
export const GROUPS = ["a", "b", "c", "d", "B", "resolution"] as const;
export const STATES = ["undefined", "draft", "done"] as const;
export const TAGS = ["read", "write", "Read"] as const;
export const CAPABILITIES = [
  "files.read",
  "files.read.own",
  "files",
  "filesystem",
  "db:read",
  "db.read",
  "",
  " ",
] as const;
export const INTENTS = ["FIND", "UNKNOWN", "TALK"] as const;
export const PROFILES = ["main", "subagent", "scheduled", "a2a-synthesis"] as const;
export const LABELS = ["private", "untrusted"] as const;
export const CLASSES = ["outward", "costly"] as const;
export const HASHES = ["one", "two"] as const;
export const LONG = "n".repeat(63);
export const LONG_CACHE = { accessSeconds: 86_400, groupSeconds: 86_400 };
