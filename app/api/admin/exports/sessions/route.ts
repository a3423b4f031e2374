import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listSessions } from "@/lib/store/calls/sessions-list";

export const GET = exportRoute("sessions", (query) => listSessions(query, new Date()));
