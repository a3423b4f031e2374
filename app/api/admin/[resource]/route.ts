import { perResource } from "@/app/api/admin/[resource]/per-resource";
import { savedAnswer } from "@/app/api/admin/[resource]/with-etag";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { listQuery } from "@/lib/contracts/changes/list";
import { saveQuery } from "@/lib/contracts/changes/row-plan";

// GET /api/admin/{resource}: a page of rows, searched, filtered and sorted.
export const GET = perResource(({ read, store }) =>
  route({
    authenticate: user(read),
    query: listQuery,
    respond: async ({ query }) => store.list(query),
  }),
);

// POST /api/admin/{resource}: a new row; a key or a token answers its secret, this once. `?dryRun=true` answers the plan.
export const POST = perResource(({ name, write, input, store }) =>
  route({
    authenticate: user(write),
    query: saveQuery,
    body: input,
    respond: async ({ caller: { actor }, query, body }) =>
      query.dryRun
        ? store.plan(actor, { action: "create", input: body })
        : savedAnswer(name, await store.create(actor, body), 201),
  }),
);
