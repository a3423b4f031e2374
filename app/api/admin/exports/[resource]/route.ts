import { perResource } from "@/app/api/admin/[resource]/per-resource";
import { exportRoute } from "@/app/api/admin/exports/export-route";
import { exportQuery } from "@/lib/contracts/changes/export";
import { resources } from "@/lib/resources/index";

// GET /api/admin/exports/{resource}: every row that the list of a resource matches, as a file.
export const GET = perResource(({ name, read, store }) =>
  exportRoute(name, { row: resources[name].row, query: exportQuery, who: read }, (query) => store.list(query)),
);
