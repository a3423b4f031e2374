import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listSessions } from "@/lib/store/calls/sessions-list";

// GET /api/admin/exports/sessions: the sessions of all agents, without their stored texts.
export const GET = exportRoute("sessions", (query) => listSessions(query, new Date()));
