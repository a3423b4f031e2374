import { perResource } from "@/app/api/admin/[resource]/per-resource";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { textStream } from "@/lib/http/text-stream";
import { EXPORT_TYPES, exportQuery } from "@/lib/resources/export";
import { exportColumns, exportRows } from "@/lib/store/export";

// GET /api/admin/exports/{resource}: every row that the list matches, as a file that is written while it is read.
export const GET = perResource(({ name, read, store }) =>
  route({
    authenticate: user(read),
    query: exportQuery,
    respond: async ({ query: { format, columns: wanted, ...query } }) => {
      const columns = exportColumns(name, wanted);
      const parts = await exportRows((page) => store.list(page), query, { format, columns });
      const day = new Date().toISOString().slice(0, 10);
      return new Response(textStream(parts), {
        headers: {
          "content-type": `${EXPORT_TYPES[format]}; charset=utf-8`,
          "content-disposition": `attachment; filename="${name}-${day}.${format}"`,
          "cache-control": "no-store",
        },
      });
    },
  }),
);
