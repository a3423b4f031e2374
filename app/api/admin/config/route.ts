import { adminRoute } from "@/app/api/admin/admin-route";
import { readDocumentBytes } from "@/app/api/admin/config/read-document-bytes";
import { putDocument } from "@/lib/admin/put-document";
import { toText } from "@/lib/config/text";
import { CONFIGURATION_OPERATIONS } from "@/lib/contracts/operations/configuration-operations";
import { readDocument } from "@/lib/store/save/config-document";

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
    return putDocument(caller.actor, bytes, { query, ifMatch, signal: request.signal });
  },
);
