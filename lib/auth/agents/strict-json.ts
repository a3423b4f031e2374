import { isObject } from "@/lib/access/model/json";
import type { JsonObject } from "@/lib/access/model/configuration";

/**
 * Parses a JSON object from untrusted bytes, refusing what parsers read differently: UTF-8 without a byte order mark, no
 * repeated name in an object (RFC 7515, 4; RFC 7519, 4), no text that Postgres cannot store.
 *
 * @throws Error that says what is wrong
 */
export function parseStrictJson(bytes: Uint8Array): JsonObject {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error("not a JSON object");
  checkTokens(text);
  return value as JsonObject;
}

/** JSON tokens. The text is already valid JSON, so these suffice to tell names from values. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

function checkTokens(text: string): void {
  // One set of names per open object, `null` per open list.
  const open: (Set<string> | null)[] = [];
  let atName = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (token.startsWith('"')) {
      const word = JSON.parse(token) as string;
      if (/[\0\p{Surrogate}]/u.test(word)) throw new Error("holds text that cannot be stored");
      if (atName) addName(open.at(-1), word);
    }
    // A name follows `{`, and `,` inside an object; nothing else.
    atName = token === "{" || (token === "," && open.at(-1) instanceof Set);
  }
}

function addName(names: Set<string> | null | undefined, name: string): void {
  if (names?.has(name) === true) throw new Error("has a name twice in one object");
  names?.add(name);
}
