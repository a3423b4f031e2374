import { DELETE, GET, PUT } from "@/app/api/admin/[resource]/[id]/route";
import type { Handler } from "@/lib/http/route";
import type { ResourceName } from "@/lib/resources/kinds";

/** Next prefers `groups/matches` to `groups/[id]`. These handlers serve the row whose id is such a fixed name. */
export function rowHandlers(resource: ResourceName, id: string) {
  const at =
    (handler: Handler): Handler =>
    (request) =>
      handler(request, { params: Promise.resolve({ resource, id }) });
  return { GET: at(GET), PUT: at(PUT), DELETE: at(DELETE) };
}
