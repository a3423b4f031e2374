import { rowHandlers } from "@/app/api/admin/[resource]/[id]/row-handlers";
import { adminRoute } from "@/app/api/admin/admin-route";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import { runStoredAssertions } from "@/lib/store/save/assertion-run";

export const POST = adminRoute(PREVIEW_OPERATIONS.run_assertions, async ({ body }) =>
  runStoredAssertions(body, Date.now()),
);

// An assertion can have the name `run`. Then this is also the address of its row.
export const { GET, PUT, DELETE } = rowHandlers("assertions", "run");
