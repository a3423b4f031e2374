import { rowHandlers } from "@/app/api/admin/[resource]/[id]/row-handlers";
import { adminRoute } from "@/app/api/admin/admin-route";
import { groupMatches } from "@/lib/config/group-matches";
import { PREVIEW_OPERATIONS } from "@/lib/contracts/operations/preview-operations";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

// POST /api/admin/groups/matches: the members of a draft, with the clause that caught each, and near misses.
export const POST = adminRoute(PREVIEW_OPERATIONS.match_group, async ({ body }) =>
  groupMatches((await currentSnapshot()).index, body),
);

// A group may be called `matches`: this address is then its row's, too.
export const { GET, PUT, DELETE } = rowHandlers("groups", "matches");
