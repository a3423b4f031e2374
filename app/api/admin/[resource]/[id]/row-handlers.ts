import { DELETE, GET, PUT } from "@/app/api/admin/[resource]/[id]/route";
import type { Handler } from "@/lib/http/route";
import type { ResourceName } from "@/lib/resources/kinds";

/** The handlers of a row whose address a route with a fixed name hides: a group can have the name `matches`. */
export function rowHandlers(resource: ResourceName, id: string) {
  const at =
    (handler: Handler): Handler =>
    (request) =>
      handler(request, { params: Promise.resolve({ resource, id }) });
  return { GET: at(GET), PUT: at(PUT), DELETE: at(DELETE) };
}
