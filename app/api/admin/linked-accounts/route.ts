import { adminRoute } from "@/app/api/admin/admin-route";
import { LINKED_ACCOUNT_OPERATIONS } from "@/lib/contracts/operations/linked-account-operations";
import { can } from "@/lib/resources/permissions";
import { listLinks } from "@/lib/store/keys/linked-account-rows";

export const GET = adminRoute(LINKED_ACCOUNT_OPERATIONS.list_linked_accounts, async ({ caller, query }) =>
  listLinks(query, caller.userId, can(caller.role, "people:read")),
);
