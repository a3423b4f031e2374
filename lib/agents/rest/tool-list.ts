import { hash } from "node:crypto";
import type { ResolvedTool } from "@/lib/access/decide/resolution";
import { listText } from "@/lib/agents/rest/list-text";
import { AppError } from "@/lib/errors";
import { manifestEntries } from "@/lib/manifest/entries";
import { canDefer, manifestText } from "@/lib/manifest/index";
import { exceededLimit } from "@/lib/manifest/request-limit";
import { searchListing } from "@/lib/manifest/search-listing";
import { estimateTextTokens } from "@/lib/manifest/tokens";
import type { ToolsQuery } from "@/lib/contracts/agents/agent-api";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

/** The parts of a query that choose how to show a list. */
type Shown = Pick<ToolsQuery, "format" | "listing" | "defer_loading"> &
  Partial<Pick<ToolsQuery, "search" | "limit" | "cursor">>;

/** A caller's list in the form that the API sends. */
interface ToolList {
  /** In quotes, as in the `ETag` header. */
  readonly etag: string;
  /** Headers that warn of a list with more tools than the format's vendor takes in one request. */
  readonly warnings: Readonly<Record<string, string>>;
  /** The JSON of `toolsOutput`. The text of a whole list is cached as UTF-8. */
  readonly text: () => string | Uint8Array<ArrayBuffer>;
}

/** The list of a context in the requested format and part (docs/reference/http.md#agent-api). */
export function toolList(context: CallContext, shown: Shown): ToolList {
  const make = () => bodyOf(context, shown);
  const { format, listing, defer_loading: deferred } = shown;
  const { resolution } = context;
  return {
    etag: etagOf(resolution.etag, shown),
    warnings: listing === "search" ? {} : limitWarning(format, countSent(resolution.tools, shown)),
    text: () => (isWhole(shown) ? listText(resolution, `${format} ${listing} ${deferred}`, make) : make()),
  };
}

/** The number of tools in an answer. Search and pages count only when the whole list exceeds the vendor's limit. */
function countSent(tools: readonly ResolvedTool[], shown: Shown): number {
  if (isWhole(shown) || exceededLimit(shown.format, tools.length) === null) return tools.length;
  return toPage(searchTools(tools, shown.search), shown).page.length;
}

function limitWarning(format: Shown["format"], tools: number): ToolList["warnings"] {
  const most = exceededLimit(format, tools);
  return most === null ? {} : { "x-qm-vendor-limit": `${most}; tools=${tools}` };
}

/** The JSON of `toolsOutput`. */
function bodyOf({ snapshot, request, resolution, now }: CallContext, query: Shown): string {
  const found = searchTools(resolution.tools, query.search);
  const { page, next } = toPage(found, query);
  const shown = query.listing === "search" && found.length > 0;
  const entries = shown ? searchListing : manifestEntries({ index: snapshot.index, request, resolution, now }, page);
  const options = { deferLoading: query.defer_loading === true, whole: isWhole(query) };
  const { data, notes } = manifestText(query.format, entries, options);
  const facts = {
    count: shown ? entries.length : found.length,
    revision: resolution.revision,
    state: resolution.state,
    profile: resolution.profiles.join(","),
    mode: resolution.mode,
    tokens: estimateTextTokens(data),
    ...(notes.length > 0 && { notes }),
    ...(query.limit === undefined ? {} : { next_cursor: next }),
  };
  return `{"data":${data},${JSON.stringify(facts).slice(1)}`;
}

function isWhole({ search: words, limit, cursor }: Shown): boolean {
  return words === undefined && limit === undefined && cursor === undefined;
}

/** The resolution's own etag, or a different one for another view of the same list. */
function etagOf(etag: string, query: Shown): string {
  const { format, search: words, limit, cursor, listing, defer_loading: deferred } = query;
  if (format === "native" && listing === "full" && isWhole(query)) return `"${etag}"`;
  return `"${etag}-${hash("sha256", JSON.stringify([format, words, limit, cursor, listing, deferred])).slice(0, 16)}"`;
}

/**
 * Refuses parameters that do not fit together or do not fit the format. They are never ignored.
 *
 * @throws AppError `invalid_request` naming each field
 */
export function requireCompatible(shown: Shown): void {
  if (shown.listing === "full" && shown.defer_loading !== true) return;
  const { format, listing, defer_loading: deferred, ...query } = shown;
  const listParameters = (["search", "limit", "cursor"] as const).filter((field) => query[field] !== undefined);
  const errors = [
    ...(deferred === true && !canDefer(format)
      ? [
          {
            path: "defer_loading",
            message: `the format \`${format}\` has no tool search: use \`openai\` or \`anthropic\``,
          },
        ]
      : []),
    ...(listing === "search"
      ? [...listParameters, ...(deferred === true ? ["defer_loading"] : [])].map((path) => ({
          path,
          message: "a search listing has three tools: omit this parameter",
        }))
      : []),
  ];
  if (errors.length > 0) throw new AppError("invalid_request", "The query is not valid.", { errors });
}

/** The tools that contain every word in their name, description, tags or category. */
function searchTools(tools: readonly ResolvedTool[], words: string | undefined): readonly ResolvedTool[] {
  const wanted = (words ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return tools;
  return tools.filter(({ tool, exposedName }) => {
    const text = [exposedName, tool.id, tool.displayName ?? "", tool.description, tool.category ?? "", ...tool.tags]
      .join(" ")
      .toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** A page of the list. The cursor is the last tool's position in the order, so it stays valid when the list changes. */
function toPage(
  tools: readonly ResolvedTool[],
  { limit, cursor }: Shown,
): { readonly page: readonly ResolvedTool[]; readonly next: string | null } {
  const after = cursor === undefined ? null : parseCursor(cursor);
  const rest = after === null ? tools : tools.filter(({ tool }) => isBeyond([tool.name, tool.id], after));
  const page = limit === undefined ? rest : rest.slice(0, limit);
  const last = page.at(-1)?.tool;
  const next = page.length < rest.length && last !== undefined ? toCursor([last.name, last.id]) : null;
  return { page, next };
}

/** Name and id. */
type Place = readonly [string, string];

function isBeyond([name, id]: Place, [lastName, lastId]: Place): boolean {
  return name > lastName || (name === lastName && id > lastId);
}

function toCursor(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function parseCursor(cursor: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(place) && typeof place[0] === "string" && typeof place[1] === "string")
      return [place[0], place[1]];
  } catch {
    // Not a cursor of this list: refused below.
  }
  throw new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "cursor", message: "is not a cursor of this list" }],
  });
}
