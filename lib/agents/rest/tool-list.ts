import { hash } from "node:crypto";
import type { Resolution, ResolvedTool } from "@/lib/access/decide/resolution";
import type { Parts } from "@/lib/access/model/parts";
import { encodeList, listText, type ListText } from "@/lib/agents/rest/list-text";
import { AppError } from "@/lib/errors";
import { entriesInParts } from "@/lib/manifest/entries";
import { canDefer, manifestTexts } from "@/lib/manifest/index";
import { exceededLimit } from "@/lib/manifest/request-limit";
import { withRequestAccess } from "@/lib/manifest/request-access";
import { searchListing } from "@/lib/manifest/search-listing";
import { estimateTextTokens } from "@/lib/manifest/tokens";
import type { ToolsQuery } from "@/lib/contracts/agents/agent-api";
import { runInTurns } from "@/lib/store/db/in-turns";
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
  /** Makes the JSON of `toolsOutput`, in turns with other work. The text of a whole list is cached. */
  readonly text: () => Promise<ListText>;
}

/** The list of a context in the requested format and part (docs/reference/http.md#agent-api). */
export async function toolList(context: CallContext, shown: Shown): Promise<ToolList> {
  const { format, listing, defer_loading: deferred, search } = shown;
  const { resolution } = context;
  const found = search === undefined ? resolution.tools : await runInTurns(searchInParts(resolution.tools, search));
  const { page, next } = toPage(found, shown);
  const make = () => bodyInParts(context, shown, { found: found.length, page, next });
  return {
    etag: etagOf(resolution.etag, shown),
    warnings: listing === "search" ? {} : limitWarning(format, page.length + countAdded(resolution, shown, next)),
    text: () => (isWhole(shown) ? listText(resolution, `${format} ${listing} ${deferred}`, make) : runInTurns(make())),
  };
}

function limitWarning(format: Shown["format"], tools: number): ToolList["warnings"] {
  const most = exceededLimit(format, tools);
  return most === null ? {} : { "x-qm-vendor-limit": `${most}; tools=${tools}` };
}

/** 1 when the page ends with `request_access`, else 0. */
function countAdded({ requestable }: Resolution, { search }: Shown, next: string | null): number {
  return search === undefined && next === null && requestable.length > 0 ? 1 : 0;
}

interface Found extends Page {
  /** The number of tools of all pages. */
  readonly found: number;
}

/** The JSON of `toolsOutput`. */
function* bodyInParts(
  { snapshot, request, resolution, now }: CallContext,
  query: Shown,
  { found, page, next }: Found,
): Parts<ListText> {
  const isSearchListing = query.listing === "search" && found > 0;
  const source = { index: snapshot.index, request, resolution, now };
  const entries = isSearchListing ? searchListing : yield* entriesInParts(source, page);
  const options = { deferLoading: query.defer_loading === true, whole: isWhole(query) };
  // The last page has the tool that requests access. A search finds tools of the catalogue only.
  const added = countAdded(resolution, query, next);
  const requesting = added > 0 ? withRequestAccess(entries, resolution) : entries;
  const { texts, notes } = yield* manifestTexts(query.format, requesting, options);
  // With its brackets and commas.
  const characters = texts.reduce((sum, text) => sum + text.length + 1, texts.length === 0 ? 2 : 1);
  const facts = {
    count: (isSearchListing ? entries.length : found) + added,
    revision: resolution.revision,
    state: resolution.state,
    profile: resolution.profiles.join(","),
    mode: resolution.mode,
    tokens: estimateTextTokens(characters),
    ...(notes.length > 0 && { notes }),
    ...(query.limit === undefined ? {} : { next_cursor: next }),
  };
  return yield* encodeList('{"data":', texts, `,${JSON.stringify(facts).slice(1)}`);
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
 * Refuses parameters that do not fit together or do not fit the format, instead of ignoring them.
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
function* searchInParts(tools: readonly ResolvedTool[], words: string): Parts<readonly ResolvedTool[]> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return tools;
  const found: ResolvedTool[] = [];
  for (const one of tools) {
    const { tool, exposedName } = one;
    const text = [exposedName, tool.id, tool.displayName ?? "", tool.description, tool.category ?? "", ...tool.tags]
      .join(" ")
      .toLowerCase();
    if (wanted.every((word) => text.includes(word))) found.push(one);
    yield;
  }
  return found;
}

interface Page {
  readonly page: readonly ResolvedTool[];
  /** The cursor of the next page; `null` = this is the last. */
  readonly next: string | null;
}

/** A page of the list. The cursor is the last tool's position in the order, so it stays valid when the list changes. */
function toPage(tools: readonly ResolvedTool[], { limit, cursor }: Shown): Page {
  const after = cursor === undefined ? null : parseCursor(cursor);
  const rest = after === null ? tools : tools.filter(({ tool }) => isAfter([tool.name, tool.id], after));
  const page = limit === undefined ? rest : rest.slice(0, limit);
  const last = page.at(-1)?.tool;
  const next = page.length < rest.length && last !== undefined ? toCursor([last.name, last.id]) : null;
  return { page, next };
}

/** Name and id. */
type Position = readonly [string, string];

function isAfter([name, id]: Position, [lastName, lastId]: Position): boolean {
  return name > lastName || (name === lastName && id > lastId);
}

function toCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

function parseCursor(cursor: string): Position {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(position) && typeof position[0] === "string" && typeof position[1] === "string")
      return [position[0], position[1]];
  } catch {
    // Not a cursor of this list: refused below.
  }
  throw new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "cursor", message: "is not a cursor of this list" }],
  });
}
