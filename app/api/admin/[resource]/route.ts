import { adminRoute } from "@/app/api/admin/admin-route";
import { perResource } from "@/app/api/admin/[resource]/per-resource";
import { saveAndAnswer } from "@/app/api/admin/[resource]/with-etag";

export const GET = perResource(({ contracts, store }) =>
  adminRoute(contracts.list, async ({ query }) => store.list(query)),
);

export const POST = perResource(({ name, contracts, store }) =>
  adminRoute(contracts.create, async ({ caller: { actor }, query, body }) =>
    query.dryRun
      ? store.plan(actor, { action: "create", input: body })
      : saveAndAnswer(name, () => store.create(actor, body), 201),
  ),
);
