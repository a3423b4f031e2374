import { hash } from "node:crypto";
import { openApi } from "@/lib/contracts/openapi/document";
import { SERVICE_OPERATIONS } from "@/lib/contracts/operations/service-operations";
import { openRoute } from "@/lib/http/contract-route";
import { isUnchanged } from "@/lib/http/if-none-match";

const text = JSON.stringify(openApi);
const etag = `"${hash("sha256", text).slice(0, 32)}"`;

export const GET = openRoute(SERVICE_OPERATIONS.read_api_description, async ({ request }) => {
  const headers = { etag, "cache-control": "public, no-cache" };
  if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "content-type": "application/json" } });
});
