import { createHash } from "node:crypto";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

/** Longest operation name (docs/reference/execution.md#sources). Exposed names need room for suffixes. */
const MAX_NAME = 48;
/** `_` and six hexadecimal digits. */
const SUFFIX_LENGTH = 7;

/** An endpoint. Method and path stay the same when a document renames its operation. */
export interface Endpoint {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly operationId: string | null;
}

/** The key of an endpoint, such as `GET /pets/{id}`. */
export function endpointKey(endpoint: { readonly method: string; readonly path: string }): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/**
 * Names the operations of a source. A known endpoint keeps its name. A name that several new endpoints want, or that is in
 * use, gets a hash of (source, method, path). So a new operation never moves a name to another endpoint.
 *
 * @param known the operation names of stored tools by `endpointKey`
 */
export function nameOperations(
  source: string,
  endpoints: readonly Endpoint[],
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const fresh = endpoints.filter((endpoint) => !known.has(endpointKey(endpoint)));
  const wanted = new Map<string, number>([...known.values()].map((name) => [name, 1]));
  for (const endpoint of fresh) wanted.set(wantedName(endpoint), (wanted.get(wantedName(endpoint)) ?? 0) + 1);
  const taken = new Set(wanted.keys());
  return new Map(
    endpoints.map((endpoint) => {
      const key = endpointKey(endpoint);
      const name = wantedName(endpoint);
      const stays = known.get(key) ?? (wanted.get(name) === 1 ? name : null);
      return [key, stays ?? suffixed(name, source, endpoint, taken)];
    }),
  );
}

/** The name with a hash of its endpoint, and adds it to `taken`. Another endpoint may have stated exactly this name. */
function suffixed(name: string, source: string, endpoint: Endpoint, taken: Set<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const suffixedName = `${name.slice(0, MAX_NAME - SUFFIX_LENGTH)}_${shortHash(source, endpoint, attempt)}`;
    if (taken.has(suffixedName)) continue;
    taken.add(suffixedName);
    return suffixedName;
  }
}

/**
 * A name from the operation id, else from method and path: `^[a-zA-Z_][a-zA-Z0-9_-]*$`, at most 48 characters. Masks
 * secrets in the path, because every log row of a call has the name.
 */
function wantedName(endpoint: Endpoint): string {
  const fromId = sanitise(endpoint.operationId ?? "");
  const address = `${endpoint.method.toLowerCase()} ${maskSecretShapes(endpoint.path)}`;
  const name = fromId === "" ? sanitise(address) : fromId;
  return (/^[A-Za-z_]/.test(name) ? name : `_${name}`).slice(0, MAX_NAME);
}

function sanitise(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]+/g, "_").replaceAll(/^_+|_+$/g, "");
}

function shortHash(source: string, { method, path }: Endpoint, attempt: number): string {
  return createHash("sha256")
    .update(JSON.stringify([source, method, path, ...(attempt === 0 ? [] : [attempt])]))
    .digest("hex")
    .slice(0, SUFFIX_LENGTH - 1);
}
