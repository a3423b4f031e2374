import type { JsonObject } from "@/lib/access/model/configuration";
import type { HttpRun } from "@/lib/resources/parts/run";

type BodyType = NonNullable<HttpRun["body"]>["contentType"];

/** A media type of a `content` map, and how a body of that type is written. */
export interface ChosenType {
  /** The key in `content`. */
  readonly key: string;
  readonly writtenAs: BodyType;
  /** The type to state, when it is another one than `writtenAs`; `null` otherwise. */
  readonly header: string | null;
}

/** The first that has a type wins: what says most about its members comes first. */
const PREFERENCES: readonly (readonly [BodyType, RegExp])[] = [
  ["application/json", /^application\/json$/],
  ["application/json", /\+json$/],
  ["application/json", /^(?:\*|application)\/\*$/],
  ["application/x-www-form-urlencoded", /^application\/x-www-form-urlencoded$/],
  ["multipart/form-data", /^multipart\/form-data$/],
  ["text/plain", /^text\/plain$/],
  ["text/plain", /^text\/|[/+](?:xml|yaml|x-yaml|x-ndjson|javascript)$/],
  // Other kinds of `multipart` have an order of parts that no list of arguments has.
  ["application/octet-stream", /^(?!multipart\/)[^/]+\/[^/]+$/],
];

/** The media type in which a body is sent; `null` when there is none that can be. */
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

/** The key of the JSON in a `content` map: plain JSON first, then `+json`, then anything at all; or `null`. */
export function jsonType(content: JsonObject): string | null {
  const chosen = chooseType(content);
  return chosen?.writtenAs === "application/json" ? chosen.key : null;
}

/** `application/json` of `Application/JSON; charset=utf-8`. */
export function bareType(type: string): string {
  return type.split(";")[0]?.trim().toLowerCase() ?? "";
}
