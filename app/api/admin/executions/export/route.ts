import { adminRoute } from "@/app/api/admin/admin-route";
import { exportLog } from "@/lib/audit/export/export";
import { LOG_EXPORT_TYPES } from "@/lib/contracts/log/execution-export";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { AppError } from "@/lib/errors";
import { textStream } from "@/lib/http/text-stream";
import { can } from "@/lib/resources/permissions";

export const GET = adminRoute(LOG_OPERATIONS.export_executions, async ({ caller, query, requestId }) => {
  if (query.bodies && !can(caller.role, "executions:bodies"))
    throw new AppError("forbidden", "Your role may not read bodies. Omit `bodies`.");
  const { id, parts } = await exportLog(query, { actor: caller.actor, requestId });
  const day = new Date().toISOString().slice(0, 10);
  const ending = query.format === "ocsf" ? "ocsf.jsonl" : query.format;
  return new Response(textStream(parts), {
    headers: {
      "content-type": `${LOG_EXPORT_TYPES[query.format]}; charset=utf-8`,
      "content-disposition": `attachment; filename="executions-${day}.${ending}"`,
      "cache-control": "no-store",
      link: `</api/admin/executions/exports/${id}>; rel="describedby"`,
    },
  });
});
