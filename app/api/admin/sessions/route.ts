import { adminRoute } from "@/app/api/admin/admin-route";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { listSessions } from "@/lib/store/calls/sessions-list";

export const GET = adminRoute(LOG_OPERATIONS.list_sessions, async ({ query }) => listSessions(query, new Date()));
