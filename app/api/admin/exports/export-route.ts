import type { z } from "zod";
import { user, type Person } from "@/lib/auth/people/user";
import { route, type Handler } from "@/lib/http/route";
import { textStream } from "@/lib/http/text-stream";
import { EXPORT_TYPES, type ExportQuery } from "@/lib/contracts/changes/export";
import type { Page } from "@/lib/contracts/changes/list";
import type { Permission } from "@/lib/resources/permissions";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { exportColumns, exportRows, type Paging } from "@/lib/store/db/export";

/** What is known of a list that can be had as a file. */
interface Exported<Q extends ExportQuery> {
  readonly row: z.ZodObject;
  readonly query: z.ZodType<Q>;
  readonly who: Permission;
}

/**
 * Every row that a list matches, as a file that is written while it is read: the list without pages. The audit trail has
 * each export before its first row leaves.
 */
export function exportRoute<Q extends ExportQuery>(
  name: string,
  { row, query: schema, who }: Exported<Q>,
  list: (query: Omit<Q, keyof ExportQuery> & Paging, caller: Person) => Promise<Page<object>>,
): Handler {
  return route({
    authenticate: user(who),
    query: schema,
    respond: async ({ caller, query: { format, columns: wanted, ...asked }, requestId }) => {
      const columns = exportColumns(row, wanted);
      const parts = await exportRows((page) => list({ ...asked, ...page }, caller), { format, columns });
      const event = { actor: caller.actor, action: "lists.exported", target: name, requestId, detail: format } as const;
      await recordAuditEvent(event);
      const day = new Date().toISOString().slice(0, 10);
      return new Response(textStream(parts), {
        headers: {
          "content-type": `${EXPORT_TYPES[format]}; charset=utf-8`,
          "content-disposition": `attachment; filename="${name}-${day}.${format}"`,
          "cache-control": "no-store",
        },
      });
    },
  });
}
