import { clientDocument } from "@/lib/calls/linked-accounts/our-client";
import { LINKED_ACCOUNT_OPERATIONS } from "@/lib/contracts/operations/linked-account-operations";
import { openRoute } from "@/lib/http/contract-route";

export const GET = openRoute(LINKED_ACCOUNT_OPERATIONS.read_client_document, async ({ params: { document } }) =>
  Response.json(clientDocument(document), { headers: { "cache-control": "public, max-age=300" } }),
);
