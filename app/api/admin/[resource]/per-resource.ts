import { user } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { route, type Handler } from "@/lib/http/route";
import { resources, type ResourceName } from "@/lib/resources/index";
import { isResourceName } from "@/lib/resources/kinds";
import { stores } from "@/lib/store/config/index";
import type { Store } from "@/lib/store/config/crud";

type Part = Pick<(typeof resources)[ResourceName], "input" | "read" | "write"> & {
  readonly name: ResourceName;
  readonly store: Store<ResourceName>;
};

/** A route of every resource; `each` is looked into by what compares routes with their description. */
interface PerResource extends Handler {
  readonly each: ReadonlyMap<string, Handler>;
}

/** One route for each resource, so that each has its own permission and its own body; the address picks it. */
export function perResource(make: (part: Part) => Handler): PerResource {
  const names = Object.keys(resources) as ResourceName[];
  const handlers = new Map<string, Handler>(
    names.map((name) => [name, make({ ...resources[name], name, store: stores[name] })]),
  );
  const handler: Handler = async (request, context) => {
    const { resource } = (await context?.params) ?? {};
    const found = typeof resource === "string" && isResourceName(resource) ? handlers.get(resource) : undefined;
    return (found ?? nothingHere)(request, context);
  };
  return Object.assign(handler, { each: handlers });
}

const nothingHere = route({
  authenticate: user("configuration:read"),
  respond: async () => {
    throw new AppError("not_found", `There is no such resource: use one of ${Object.keys(resources).join(", ")}.`);
  },
});
