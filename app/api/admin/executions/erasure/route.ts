import { adminRoute } from "@/app/api/admin/admin-route";
import { RETENTION_OPERATIONS } from "@/lib/contracts/operations/retention-operations";
import { countBodies, eraseBodies } from "@/lib/store/audit/erasures";

// POST /api/admin/executions/erasure: erases the bodies of a caller's calls; `?dryRun=true` only counts them.
export const POST = adminRoute(RETENTION_OPERATIONS.erase_bodies, async ({ caller, query, body, requestId }) =>
  query.dryRun ? countBodies(body) : eraseBodies({ actor: caller.actor, requestId }, body),
);
