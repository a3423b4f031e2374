import { readDocumentBytes } from "@/app/api/admin/config/read-document-bytes";
import { user } from "@/lib/auth/people/user";
import { toText } from "@/lib/config/text";
import { AppError } from "@/lib/errors";
import { requireVersion } from "@/lib/http/if-match";
import { route } from "@/lib/http/route";
import { configQuery } from "@/lib/contracts/changes/config";
import { applyDocument, planDocument, readDocument } from "@/lib/store/save/config-document";
import { parsedInThread } from "@/lib/admin/parsed-document";

// GET /api/admin/config: the whole configuration as one document; YAML when `Accept` says so.
export const GET = route({
  authenticate: user("configuration:read"),
  respond: async ({ request }) => {
    const { revision, document } = await readDocument();
    const headers = { etag: `"${revision}"` };
    if (!/\byaml\b/i.test(request.headers.get("accept") ?? "")) return Response.json(document, { headers });
    return new Response(toText(document), {
      headers: { ...headers, "content-type": "application/yaml; charset=utf-8" },
    });
  },
});

// PUT /api/admin/config: applies a document in one transaction; `?dryRun=true` answers the plan and saves nothing,
// `?mode=merge` deletes nothing. With `If-Match` (the revision that was read) a change in between is a 409.
export const PUT = route({
  authenticate: user("configuration:write"),
  query: configQuery,
  respond: async ({ caller, query, request }) => {
    const parsed = await parsedInThread(await readDocumentBytes(request, caller.role), request.signal);
    if (!parsed.ok) throw new AppError("invalid_request", "The document is not valid.", { errors: parsed.errors });
    const merges = query.mode === "merge" || parsed.mergeOnly;
    const wanted = merges ? { merge: parsed.stated, fresh: parsed.fresh } : parsed.document;
    const found = await planDocument(caller.actor, wanted);
    const plan = { ...found, warnings: [...parsed.warnings, ...found.warnings], mode: merges ? "merge" : "replace" };
    if (query.dryRun) return plan;
    const ifMatch = request.headers.has("if-match") ? { ifRevision: requireVersion(request) } : {};
    const { revision } = await applyDocument(caller.actor, wanted, ifMatch);
    return { ...plan, revision };
  },
});
