import type { JsonObject } from "@/lib/access/model/configuration";
import type { HttpRun } from "@/lib/resources/parts/run";

type BodyType = NonNullable<HttpRun["body"]>["contentType"];

/** A media type of a `content` map, and the serialization of its bodies. */
export interface ChosenType {
  /** The key in `content`. */
  readonly key: string;
  readonly writtenAs: BodyType;
  /** The type to state if it differs from `writtenAs`; `null` otherwise. */
  readonly header: string | null;
}

/** In order of preference: types that describe their members best come first. */
const PREFERENCES: readonly (readonly [BodyType, RegExp])[] = [
  ["application/json", /^application\/json$/],
  ["application/json", /\+json$/],
  ["application/json", /^(?:\*|application)\/\*$/],
  ["application/x-www-form-urlencoded", /^application\/x-www-form-urlencoded$/],
  ["multipart/form-data", /^multipart\/form-data$/],
  ["text/plain", /^text\/plain$/],
  ["text/plain", /^text\/|[/+](?:xml|yaml|x-yaml|x-ndjson|javascript)$/],
  // In other kinds of `multipart` the order of parts matters, and arguments have no order.
  ["application/octet-stream", /^(?!multipart\/)[^/]+\/[^/]+$/],
];

/** Chooses the media type of a body; `null` when none can be sent. */
export function chooseType(content: JsonObject): ChosenType | null {
  for (const [writtenAs, pattern] of PREFERENCES) {
    const key = Object.keys(content).find((type) => pattern.test(bareType(type)));
    if (key === undefined) continue;
    const bare = bareType(key);
    const isStated = bare !== writtenAs && /^[a-z0-9][a-z0-9.+_-]*\/[a-z0-9][a-z0-9.+_-]*$/.test(bare);
    return { key, writtenAs, header: isStated ? bare : null };
  }
  return null;
}

/** The key of the JSON type in a `content` map: plain JSON, then `+json`, then a wildcard; `null` = none. */
export function jsonType(content: JsonObject): string | null {
  const chosen = chooseType(content);
  return chosen?.writtenAs === "application/json" ? chosen.key : null;
}

/** A media type without parameters, in lower case: `application/json` for `Application/JSON; charset=utf-8`. */
export function bareType(type: string): string {
  return type.split(";")[0]?.trim().toLowerCase() ?? "";
}
