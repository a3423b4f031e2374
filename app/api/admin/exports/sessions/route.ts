import { exportRoute } from "@/app/api/admin/exports/export-route";
import { EXPORTED_LISTS } from "@/lib/contracts/changes/exported-lists";
import { listSessions } from "@/lib/store/calls/sessions-list";

// GET /api/admin/exports/sessions: the sessions of all agents, without what they were told.
export const GET = exportRoute("sessions", EXPORTED_LISTS.sessions, (query) => listSessions(query, new Date()));
