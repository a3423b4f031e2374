import { rowHandlers } from "@/app/api/admin/[resource]/[id]/row-handlers";
import { adminRoute } from "@/app/api/admin/admin-route";
import { groupMatches } from "@/lib/config/group-matches";
import { DRAFT_MS } from "@/lib/admin/parsed-document";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import { runInTurns } from "@/lib/store/db/in-turns";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

export const POST = adminRoute(PREVIEW_OPERATIONS.match_group, async ({ request, body }) => {
  const matching = groupMatches((await currentSnapshot()).index, body);
  return runInTurns(matching, DRAFT_MS, request.signal);
});

// A group can have the name `matches`. Then this is also the address of its row.
export const { GET, PUT, DELETE } = rowHandlers("groups", "matches");
