import * as item from "@/app/api/admin/[resource]/[id]/route";
import { adminRoute } from "@/app/api/admin/admin-route";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import type { Handler } from "@/lib/http/route";
import { runStoredAssertions } from "@/lib/store/save/assertion-run";

// POST /api/admin/assertions/run: whether the stored assertions hold in the configuration in force.
export const POST = adminRoute(PREVIEW_OPERATIONS.run_assertions, async ({ body }) =>
  runStoredAssertions(body, Date.now()),
);

// An assertion may be called `run`: this address is then its row's, too.
const row = (handler: Handler): Handler => {
  const params = Promise.resolve({ resource: "assertions", id: "run" });
  return (request) => handler(request, { params });
};

export const GET = row(item.GET);
export const PUT = row(item.PUT);
export const DELETE = row(item.DELETE);
