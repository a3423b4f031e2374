import type { z } from "zod";
import { adminRoute } from "@/app/api/admin/admin-route";
import type { Person } from "@/lib/auth/people/user";
import { EXPORT_CONTRACTS } from "@/lib/contracts/operations/export-operations";
import type { ResourceContracts } from "@/lib/contracts/operations/resource-operations";
import type { Handler } from "@/lib/http/route";
import { textStream } from "@/lib/http/text-stream";
import { EXPORT_TYPES, type exportQuery, type ExportQuery } from "@/lib/contracts/changes/export";
import { EXPORTED_LISTS, type ExportedList } from "@/lib/contracts/changes/exported-lists";
import type { Page } from "@/lib/contracts/changes/list";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { exportColumns, exportRows, type Paging } from "@/lib/store/db/export";

/** Reads one page of a list. `Q` is the query of its export. */
type ReadPage<Q> = (query: Omit<Q, keyof ExportQuery> & Paging, caller: Person) => Promise<Page<object>>;

/** The query of an export, with any filters. */
type AnyQuery = z.output<typeof exportQuery>;

/** Exports a list that is no resource, such as the sessions. */
export function exportRoute<L extends ExportedList>(
  list: L,
  read: ReadPage<z.output<(typeof EXPORTED_LISTS)[L]["query"]>>,
): Handler {
  const { row } = EXPORTED_LISTS[list];
  return fileRoute(list, { row, contract: EXPORT_CONTRACTS[list] }, read as ReadPage<AnyQuery>);
}

/**
 * Streams all matching rows of a list as a file. Records the export in the audit trail before it sends the first row.
 */
export function fileRoute(
  name: string,
  list: {
    readonly row: z.ZodObject;
    readonly contract: (typeof EXPORT_CONTRACTS)[ExportedList] | ResourceContracts["export"];
  },
  read: ReadPage<AnyQuery>,
): Handler {
  return adminRoute(list.contract, async ({ caller, query, requestId }) => {
    const { format, columns: wanted, ...filters }: AnyQuery = query;
    const columns = exportColumns(list.row, wanted);
    const parts = await exportRows((page) => read({ ...filters, ...page }, caller), { format, columns });
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
  });
}
