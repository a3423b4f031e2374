import type { JsonObject } from "@/lib/access/model/configuration";
import { AppError } from "@/lib/errors";
import type { HttpRun } from "@/lib/resources/parts/run";
import type { ToolRow } from "@/lib/resources/tool";
import { toHttpRequest } from "@/lib/calls/runners/http-request";
import type { Snapshot } from "@/lib/store/snapshot/snapshot";

type Operations = Pick<Snapshot, "tools" | "unimported">;

/** An address by segments; `null` = a path argument stands there. */
type Segments = readonly (string | null)[];

/** The addresses that arguments can form, by address, for a catalogue or a source's unimported operations. */
const known = new WeakMap<object, Map<string, readonly Segments[]>>();

/**
 * Whether the arguments turn the tool's address into that of another operation of its source, imported or not:
 * `GET /users/{id}` with `search` is a request for `GET /users/search`, for which the caller needs that tool.
 */
export function reachesAnotherOperation(tool: ToolRow, args: JsonObject, operations: Operations): boolean {
  const { run } = tool;
  if (run?.kind !== "http" || !run.url.includes("{")) return false;
  const others = othersOf(tool.source, run, operations);
  if (others.length === 0) return false;
  try {
    const path = segmentsOf(toHttpRequest(run, args).url);
    return others.some((other) => other.every((segment, at) => segment === null || segment === path[at]));
  } catch (error) {
    // The runner refuses these arguments and names the field.
    if (error instanceof AppError) return false;
    throw error;
  }
}

function othersOf(source: string, run: HttpRun, { tools, unimported }: Operations): readonly Segments[] {
  const address = `${run.method} ${run.url}`;
  const imported = remembered(tools, `${source} ${address}`, () =>
    reachable(run, addressesOf([...tools.values()].filter((tool) => tool.source === source))),
  );
  const others = unimported.get(source);
  if (others === undefined) return imported;
  return [...imported, ...remembered(others, address, () => reachable(run, others.text.split("\n")))];
}

function remembered(owner: object, key: string, make: () => readonly Segments[]): readonly Segments[] {
  const all = known.get(owner) ?? new Map<string, readonly Segments[]>();
  known.set(owner, all);
  const found = all.get(key) ?? make();
  all.set(key, found);
  return found;
}

/** The addresses of tools, as `METHOD URL`. */
function addressesOf(tools: readonly ToolRow[]): string[] {
  return tools.flatMap(({ run }) => (run?.kind === "http" ? [`${run.method} ${run.url}`] : []));
}

/** Those of the addresses that arguments of `run` can form. */
function reachable(run: HttpRun, addresses: readonly string[]): Segments[] {
  const own = segmentsOf(run.url);
  const prefix = `${run.method} `;
  return addresses
    .filter((address) => address.startsWith(prefix))
    .map((address) => segmentsOf(address.slice(prefix.length)))
    .filter((segments) => covers(own, segments));
}

/** Whether arguments can make the one address into the other, which is fixed where the first has an argument. */
function covers(own: Segments, other: Segments): boolean {
  if (own.length !== other.length) return false;
  if (!own.every((segment, at) => segment === null || other[at] === null || segment === other[at])) return false;
  return own.some((segment, at) => segment === null && other[at] !== null);
}

/** Routers differ in case, path parameters (`;v=1`), encoding, a last dot and a format's suffix: none makes another operation. */
function segmentsOf(url: string): Segments {
  const [path = ""] = url.split(/[?#]/, 1);
  return path.split("/").map((segment) => (segment.includes("{") ? null : normalised(segment)));
}

function normalised(segment: string): string {
  const [name = ""] = decoded(segment).split(";", 1);
  return name
    .trim()
    .toLowerCase()
    .replace(/\.(?:json|xml)?$/, "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
