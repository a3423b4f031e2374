import type { ResolvedTool } from "@/lib/access/resolution";
import { sha256Hex } from "@/lib/access/sha256";
import { situationOf } from "@/lib/agents/list";
import { listText } from "@/lib/agents/list-text";
import { requireNoConflict } from "@/lib/agents/session-conflicts";
import { agent } from "@/lib/auth/agents/agent";
import { AppError } from "@/lib/errors";
import { isUnchanged } from "@/lib/http/if-none-match";
import { route } from "@/lib/http/route";
import { manifestEntries } from "@/lib/manifest/entries";
import { canDefer, renderManifest } from "@/lib/manifest/index";
import { searchListing } from "@/lib/manifest/search-listing";
import { estimateTokens } from "@/lib/manifest/tokens";
import { toolsQuery, type ToolsQuery } from "@/lib/resources/agent-api";
import { touchSession } from "@/lib/store/sessions";
import { expiryOf } from "@/lib/tools/record";
import type { Situation } from "@/lib/tools/situation";

/** GET /api/agents/tools: the caller's list (3-http, Agent API). */
export const listTools = route({
  authenticate: agent(),
  query: toolsQuery,
  respond: async ({ caller, query, request, requestId }) => {
    requireNoConflict(query, query.session_id);
    requireTogether(query);
    const now = Date.now();
    const situation = await situationOf(caller, query, query.session_id ?? null, {
      requestId,
      minRevision: query.min_revision,
      skipCache: query.skip_cache,
      now,
    });
    const { snapshot, resolution, session } = situation;
    if (session !== null) await touchSession(session, expiryOf(snapshot, now), new Date(now));
    const etag = etagOf(resolution.etag, query);
    const headers = { etag, "cache-control": "private, no-cache", vary: "authorization" };
    if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers });
    const make = () => JSON.stringify(bodyOf(situation, query, now));
    const { format, listing, defer_loading: deferred } = query;
    const text = isWhole(query) ? listText(resolution, `${format} ${listing} ${deferred}`, make) : make();
    return new Response(text, { headers: { ...headers, "content-type": "application/json" } });
  },
});

function bodyOf({ snapshot, request, resolution }: Situation, query: ToolsQuery, now: number): object {
  const found = search(resolution.tools, query.search);
  const { page, next } = paged(found, query);
  const shown = query.listing === "search" && found.length > 0;
  const entries = shown ? searchListing : manifestEntries({ index: snapshot.index, request, resolution, now }, page);
  const options = { deferLoading: query.defer_loading === true, whole: isWhole(query) };
  const { data, notes } = renderManifest(query.format, entries, options);
  return {
    data,
    count: shown ? entries.length : found.length,
    revision: resolution.revision,
    state: resolution.state,
    profile: resolution.profiles.join(","),
    mode: resolution.mode,
    tokens: estimateTokens(data),
    ...(notes.length > 0 && { notes }),
    ...(query.limit === undefined ? {} : { next_cursor: next }),
  };
}

function isWhole({ search: words, limit, cursor }: ToolsQuery): boolean {
  return words === undefined && limit === undefined && cursor === undefined;
}

/** The resolution's own etag; another when this answer is another view of the same list. */
function etagOf(etag: string, query: ToolsQuery): string {
  const { format, search: words, limit, cursor, listing, defer_loading: deferred } = query;
  if (format === "native" && listing === "full" && isWhole(query)) return `"${etag}"`;
  return `"${etag}-${sha256Hex(JSON.stringify([format, words, limit, cursor, listing, deferred])).slice(0, 16)}"`;
}

/** What cannot be asked together, or of this format, is refused rather than ignored. */
function requireTogether({ format, listing, defer_loading: deferred, ...query }: ToolsQuery): void {
  const ofTheList = (["search", "limit", "cursor"] as const).filter((field) => query[field] !== undefined);
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
      ? [...ofTheList, ...(deferred === true ? ["defer_loading"] : [])].map((path) => ({
          path,
          message: "a search listing has three tools: leave it out",
        }))
      : []),
  ];
  if (errors.length > 0) throw new AppError("invalid_request", "The query is not valid.", { errors });
}

/** Tools in which every word is found, in name, description, tags or category. */
function search(tools: readonly ResolvedTool[], words: string | undefined): readonly ResolvedTool[] {
  const wanted = (words ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return tools;
  return tools.filter(({ tool, exposedName }) => {
    const text = [exposedName, tool.id, tool.displayName ?? "", tool.description, tool.category ?? "", ...tool.tags]
      .join(" ")
      .toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** A page of the list; the cursor is the last tool's place in its order, so that it survives changes. */
function paged(
  tools: readonly ResolvedTool[],
  { limit, cursor }: ToolsQuery,
): { readonly page: readonly ResolvedTool[]; readonly next: string | null } {
  const after = cursor === undefined ? null : placeOf(cursor);
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

function placeOf(cursor: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(place) && typeof place[0] === "string" && typeof place[1] === "string")
      return [place[0], place[1]];
  } catch {
    // Not one of ours: refused below.
  }
  throw new AppError("invalid_request", "The query is not valid.", {
    errors: [{ path: "cursor", message: "is not a cursor of this list" }],
  });
}
