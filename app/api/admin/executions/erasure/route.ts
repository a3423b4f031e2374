import { adminRoute } from "@/app/api/admin/admin-route";
import { RETENTION_OPERATIONS } from "@/lib/contracts/operations/retention-operations";
import { countBodies, eraseBodies } from "@/lib/store/audit/erasures";

export const POST = adminRoute(RETENTION_OPERATIONS.erase_bodies, async ({ caller, query, body, requestId }) =>
  query.dryRun ? countBodies(body) : eraseBodies({ actor: caller.actor, requestId }, body),
);
