import type { JsonObject } from "@/lib/access/model/configuration";
import { AppError } from "@/lib/errors";
import type { HttpRun } from "@/lib/resources/parts/run";
import type { ToolRow } from "@/lib/resources/tool";
import { toHttpRequest } from "@/lib/calls/runners/http-request";

type Tools = ReadonlyMap<string, ToolRow>;

/** An address by segments; `null` = a path argument stands there. */
type Segments = readonly (string | null)[];

/** Per revision of the catalogue. */
const known = new WeakMap<Tools, Map<string, readonly Segments[]>>();

/**
 * Whether the arguments turn the tool's address into that of another operation of its source: `GET /users/{id}` with
 * `search` is a request for `GET /users/search`, for which the caller needs that tool.
 */
export function reachesAnotherOperation(tool: ToolRow, args: JsonObject, tools: Tools): boolean {
  const { run } = tool;
  if (run?.kind !== "http" || !run.url.includes("{")) return false;
  const others = othersOf(tool, run, tools);
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

function othersOf(tool: ToolRow, run: HttpRun, tools: Tools): readonly Segments[] {
  let ofTools = known.get(tools);
  if (ofTools === undefined) known.set(tools, (ofTools = new Map()));
  const found = ofTools.get(tool.id);
  if (found !== undefined) return found;
  const own = segmentsOf(run.url);
  const others: Segments[] = [];
  for (const other of tools.values()) {
    if (other.source !== tool.source || other.run?.kind !== "http" || other.run.method !== run.method) continue;
    const segments = segmentsOf(other.run.url);
    if (covers(own, segments)) others.push(segments);
  }
  ofTools.set(tool.id, others);
  return others;
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
