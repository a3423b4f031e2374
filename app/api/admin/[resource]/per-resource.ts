import { user } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { route, type Handler } from "@/lib/http/route";
import { RESOURCE_CONTRACTS, type ResourceContracts } from "@/lib/contracts/operations/resource-operations";
import type { ResourceName } from "@/lib/resources/index";
import { isResourceName } from "@/lib/resources/kinds";
import { stores } from "@/lib/store/config/index";
import type { Store } from "@/lib/store/config/crud";

interface ResourceParts {
  readonly name: ResourceName;
  readonly contracts: ResourceContracts;
  readonly store: Store<ResourceName>;
}

/** One route for the URLs of all resources. Tests find the route of one resource in `each`. */
interface PerResource extends Handler {
  readonly each: ReadonlyMap<string, Handler>;
}

/** Makes a route for each resource, with its own permission and body. The resource in the URL selects the route. */
export function perResource(make: (parts: ResourceParts) => Handler): PerResource {
  const names = Object.keys(RESOURCE_CONTRACTS) as ResourceName[];
  const handlers = new Map<string, Handler>(
    names.map((name) => [name, make({ name, contracts: RESOURCE_CONTRACTS[name], store: stores[name] })]),
  );
  const handler: Handler = async (request, context) => {
    const { resource } = (await context?.params) ?? {};
    const found = typeof resource === "string" && isResourceName(resource) ? handlers.get(resource) : undefined;
    return (found ?? unknownResource)(request, context);
  };
  return Object.assign(handler, { each: handlers });
}

const unknownResource = route({
  authenticate: user("configuration:read"),
  respond: async () => {
    throw new AppError(
      "not_found",
      `This resource does not exist: use one of ${Object.keys(RESOURCE_CONTRACTS).join(", ")}.`,
    );
  },
});
