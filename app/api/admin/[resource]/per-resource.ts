import { user } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { route, type Handler } from "@/lib/http/route";
import { isResourceName, resources, type ResourceName } from "@/lib/resources/index";
import { stores } from "@/lib/store/index";
import type { Store } from "@/lib/store/crud";

type Part = Pick<(typeof resources)[ResourceName], "input" | "read" | "write"> & {
  readonly name: ResourceName;
  readonly store: Store<ResourceName>;
};

/** One route for each resource, so that each has its own permission and its own body; the address picks it. */
export function perResource(make: (part: Part) => Handler): Handler {
  const names = Object.keys(resources) as ResourceName[];
  const handlers = new Map(names.map((name) => [name, make({ ...resources[name], name, store: stores[name] })]));
  return async (request, context) => {
    const { resource } = (await context?.params) ?? {};
    const handler = typeof resource === "string" && isResourceName(resource) ? handlers.get(resource) : undefined;
    return (handler ?? nothingHere)(request, context);
  };
}

const nothingHere = route({
  authenticate: user("configuration:read"),
  respond: async () => {
    throw new AppError("not_found", `There is no such resource: use one of ${Object.keys(resources).join(", ")}.`);
  },
});
