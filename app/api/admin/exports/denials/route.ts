import { exportRoute } from "@/app/api/admin/exports/export-route";
import { listDenials } from "@/lib/admin/denials";

export const GET = exportRoute("denials", (query) => listDenials(query, Date.now()));
