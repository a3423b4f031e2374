import { DELETE, GET, PUT } from "@/app/api/admin/[resource]/[id]/route";
import type { Handler } from "@/lib/http/route";
import type { ResourceName } from "@/lib/resources/kinds";

/** The handlers of the row whose address another route has taken: a group may be called `matches`. */
export function rowHandlers(resource: ResourceName, id: string) {
  const at =
    (handler: Handler): Handler =>
    (request) =>
      handler(request, { params: Promise.resolve({ resource, id }) });
  return { GET: at(GET), PUT: at(PUT), DELETE: at(DELETE) };
}
