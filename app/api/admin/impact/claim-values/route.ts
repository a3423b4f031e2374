import { adminRoute } from "@/app/api/admin/admin-route";
import { recordClaimRead } from "@/lib/auth/people/guesses";
import { listClaimValues } from "@/lib/admin/recent-callers";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";

export const GET = adminRoute(PREVIEW_OPERATIONS.list_claim_values, ({ query, caller }) => {
  recordClaimRead(caller);
  return listClaimValues(query.path);
});
