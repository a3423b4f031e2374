import { adminRoute } from "@/app/api/admin/admin-route";
import { perResource } from "@/app/api/admin/[resource]/per-resource";
import { savedAnswer } from "@/app/api/admin/[resource]/with-etag";

// GET /api/admin/{resource}: a page of rows, searched, filtered and sorted.
export const GET = perResource(({ contracts, store }) =>
  adminRoute(contracts.list, async ({ query }) => store.list(query)),
);

// POST /api/admin/{resource}: creates a row. Only this answer has the secret of a key or a token. `?dryRun=true`
// answers the plan.
export const POST = perResource(({ name, contracts, store }) =>
  adminRoute(contracts.create, async ({ caller: { actor }, query, body }) =>
    query.dryRun
      ? store.plan(actor, { action: "create", input: body })
      : savedAnswer(name, () => store.create(actor, body), 201),
  ),
);
