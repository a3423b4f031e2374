import { adminRoute } from "@/app/api/admin/admin-route";
import { readDocumentBytes } from "@/app/api/admin/config/read-document-bytes";
import { documentDeadlineMs, parsedInThread } from "@/lib/admin/parsed-document";
import { toText } from "@/lib/config/text";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { AppError } from "@/lib/errors";
import { applyDocument, planDocument, readDocument } from "@/lib/store/save/config-document";

export const GET = adminRoute(CONFIGURATION_OPERATIONS.export_configuration, async ({ request }) => {
  const { revision, document } = await readDocument();
  const headers = { etag: `"${revision}"` };
  if (!/\byaml\b/i.test(request.headers.get("accept") ?? "")) return Response.json(document, { headers });
  return new Response(toText(document), {
    headers: { ...headers, "content-type": "application/yaml; charset=utf-8" },
  });
});

export const PUT = adminRoute(
  CONFIGURATION_OPERATIONS.apply_configuration,
  async ({ caller, query, ifMatch, request }) => {
    const bytes = await readDocumentBytes(request, caller.role);
    // Parsing transfers the bytes to a thread, which leaves none here.
    const limits = { stageMs: documentDeadlineMs(bytes.byteLength), signal: request.signal };
    const parsed = await parsedInThread(bytes, request.signal);
    if (!parsed.ok) throw new AppError("invalid_request", "The document is not valid.", { errors: parsed.errors });
    const isMerge = query.mode === "merge" || parsed.mergeOnly;
    const document = isMerge ? { merge: parsed.stated, fresh: parsed.fresh } : parsed.document;
    const planned = await planDocument(caller.actor, document, limits);
    const plan = {
      ...planned,
      warnings: [...parsed.warnings, ...planned.warnings],
      mode: isMerge ? ("merge" as const) : ("replace" as const),
    };
    if (query.dryRun) return plan;
    const ifRevision = ifMatch();
    const { revision } = await applyDocument(caller.actor, document, {
      limits,
      ...(ifRevision !== undefined && { ifRevision }),
      ...(query.note !== undefined && { note: query.note }),
    });
    return { ...plan, revision };
  },
);
