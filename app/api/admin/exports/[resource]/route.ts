import { perResource } from "@/app/api/admin/[resource]/per-resource";
import { fileRoute } from "@/app/api/admin/exports/export-route";
import { resources } from "@/lib/resources/index";

export const GET = perResource(({ name, contracts, store }) =>
  fileRoute(name, { row: resources[name].row, contract: contracts.export }, (query) => store.list(query)),
);
